#include "app/cli/world_json.h"

#include <nlohmann/json.hpp>

#include "app/cli/console.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

Json agentsJson(const World& world) {
    auto list = Json::array();
    for (const AgentInfo& agent : world.agents()) {
        const char* role = agent.role == AgentRole::Human   ? "human"
                           : agent.role == AgentRole::Robot ? "robot"
                                                            : "other";
        list.push_back({{"name", agent.name},
                        {"role", role},
                        {"color", colorName(agent.color)},
                        {"actions", agent.actions}});
    }
    return list;
}

Json goalsJson(const World& world) {
    auto list = Json::array();
    for (const HumanGoals& human : world.goals())
        for (std::size_t g = 0; g < human.goals.size(); ++g)
            list.push_back({{"human", world.agents()[human.agent].name},
                            {"goal", goalText(human.goals[g])},
                            {"weight", jsonNumber(human.weights[g])}});
    return list;
}

/// A whole number where it is exact.
Json jointActionsJson(const World& world) {
    const double count = world.profileCount();
    return count < 0x1p53 ? Json(static_cast<std::int64_t>(count)) : Json(count);
}

}  // namespace

nlohmann::ordered_json valuationJson(const World& world,
                                     std::span<const std::uint64_t> configuration) {
    std::vector<int> values(world.variables().size());
    world.valuate(configuration, values);
    Json object = Json::object();
    for (std::size_t i = 0; i < values.size(); ++i) object[world.variables()[i].name] = values[i];
    return object;
}

nlohmann::ordered_json worldJson(const World& world) {
    return {{"name", world.name()},
            {"width", world.width()},
            {"height", world.height()},
            {"max_steps", world.maxSteps()},
            {"joint_actions", jointActionsJson(world)},
            {"configuration_bits", world.keyBits()},
            {"hash", world.contentHash()},
            {"agents", agentsJson(world)},
            {"goals", goalsJson(world)},
            {"initial", valuationJson(world, world.initialConfiguration())},
            {"warnings", world.warnings()}};
}

}  // namespace orrery
