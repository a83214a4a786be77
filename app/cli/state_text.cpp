#include "app/cli/state_text.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/world_json.h"
#include "app/cli/world_text.h"
#include "core/base/error.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

State stateAt(const Solution& solution, const Address& address) {
    const StateGraph& graph = solution.graph();
    const auto refuse = [](const std::string& text) { throw Error(text, Error::Kind::BadInput); };
    if (address.step < 0 || address.step >= graph.numLevels())
        refuse("The run has the steps 0 to " + std::to_string(graph.numLevels() - 1) + ", not " +
               std::to_string(address.step) + ".");
    if (!address.hasState()) return {address.step, graph.levelMember(address.step, 0)};
    std::optional<ConfigIndex> config;
    if (!address.words.empty())
        config = graph.find(address.words);
    else if (address.stateIndex < graph.numConfigs())
        config = static_cast<ConfigIndex>(address.stateIndex);
    if (!config || !graph.inLevel(address.step, *config))
        refuse("Step " + std::to_string(address.step) +
               " has no such state. Copy an address with Edit > Copy link.");
    return {address.step, *config};
}

Json valuesJson(const Solution& solution, const StateValues& values) {
    const World& world = solution.world();
    Json json = Json::object();
    if (!solution.spec().phase1Only) {
        json["v_r"] = jsonNumber(values.v_r);
        json["u_r"] = jsonNumber(values.u_r);
        auto robot = Json::array();
        const RobotProfiles profiles = robotProfiles(world);
        for (std::size_t a = 0; a < values.pi_r.size(); ++a)
            robot.push_back({{"action", profiles.names[a]},
                             {"q_r", jsonNumber(values.q_r[a])},
                             {"pi_r", jsonNumber(values.pi_r[a])}});
        json["robot"] = std::move(robot);
    }
    auto humans = Json::array();
    for (std::size_t h = 0; h < world.goals().size(); ++h) {
        Json human{{"name", world.agents()[world.goals()[h].agent].name}};
        if (h < values.x_h.size()) human["x_h"] = jsonNumber(values.x_h[h]);
        if (h < values.v_h_e.size()) human["v_h_e"] = jsonNumbers(values.v_h_e[h]);
        if (h < values.v_h.size()) human["v_h"] = jsonNumbers(values.v_h[h]);
        if (h < values.marginal.size()) human["pi_h"] = jsonNumbers(values.marginal[h]);
        humans.push_back(std::move(human));
    }
    json["humans"] = std::move(humans);
    return json;
}

Json stateJson(const Solution& solution, State state) {
    Json json{{"step", state.step}, {"config", state.config}};
    json["state"] = valuationJson(solution.world(), solution.graph().configuration(state.config));
    json.update(valuesJson(solution, solution.values(state)));
    return json;
}

void printState(const Solution& solution, State state, Console& console) {
    for (const std::string& line :
         drawWorld(solution.world(), solution.graph().configuration(state.config), console))
        console.line(line);
    console.line();
    const StateValues values = solution.values(state);
    TextTable table({{"value"}, {"of"}, {"number", true}});
    if (!solution.spec().phase1Only) {
        table.add({"V_r", "", shortNumber(values.v_r)});
        if (!values.terminal) table.add({"U_r", "", shortNumber(values.u_r)});
        const RobotProfiles profiles = robotProfiles(solution.world());
        for (std::size_t a = 0; a < values.q_r.size(); ++a)
            table.add({"Q_r", profiles.names[a], shortNumber(values.q_r[a])});
        for (std::size_t a = 0; a < values.pi_r.size(); ++a)
            table.add({"pi_r", profiles.names[a], shortNumber(values.pi_r[a])});
    }
    const auto& humans = solution.world().goals();
    for (std::size_t h = 0; h < humans.size(); ++h) {
        const std::string name = solution.world().agents()[humans[h].agent].name;
        if (h < values.x_h.size()) table.add({"X_h", name, shortNumber(values.x_h[h])});
        for (std::size_t g = 0; h < values.v_h_e.size() && g < values.v_h_e[h].size(); ++g)
            table.add({"V_h^e", name + ", " + goalText(humans[h].goals[g]),
                       shortNumber(values.v_h_e[h][g])});
    }
    table.print(console);
}

}  // namespace orrery
