#include "core/collect/facts.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/encode/agent_order.h"
#include "core/encode/state_encoder.h"

namespace orrery {

namespace {

[[noreturn]] void refuse(const World& world, const std::string& why) {
    throw Error("'" + world.name() + "' cannot be learned on: it " + why + ".",
                Error::Kind::BadInput);
}

void requireLearnable(const World& world) {
    if (world.goals().empty()) refuse(world, "has no human; add an agent Ay");
    if (std::ssize(world.goals()) > kMaxLearnedHumans)
        refuse(world, "has " + std::to_string(world.goals().size()) + " humans; " +
                          std::to_string(kMaxLearnedHumans) + " are the most");
    if (world.robots().empty()) refuse(world, "has no robot; add an agent Ae");
    for (const HumanGoals& list : world.goals())
        if (list.goals.empty())
            refuse(world,
                   "gives " + world.agents()[list.agent].name + " no goal; give it possible_goals");
    if (world.profileCount() >= 0x1p31)
        refuse(world, "has more than 2147483647 joint actions; take some agents out");
}

}  // namespace

WorldFacts factsOf(const World& world, const EncodingShape& shape) {
    requireLearnable(world);
    WorldFacts facts{.name = world.name(),
                     .contentHash = world.contentHash(),
                     .shape = shape,
                     .maxSteps = world.maxSteps(),
                     .humans = {},
                     .robotActions = {}};
    const std::vector<int> order = encodedAgentOrder(world);
    for (const HumanGoals& list : world.goals()) {
        WorldFacts::Human human;
        human.agent = list.agent;
        human.slot = static_cast<int>(std::ranges::find(order, list.agent) - order.begin());
        human.numActions = world.numActions(list.agent);
        human.weights = list.weights;
        for (const Goal& goal : list.goals)
            human.goals.push_back({.x1 = static_cast<std::int16_t>(goal.x1),
                                   .y1 = static_cast<std::int16_t>(goal.y1),
                                   .x2 = static_cast<std::int16_t>(goal.x2),
                                   .y2 = static_cast<std::int16_t>(goal.y2)});
        facts.humans.push_back(std::move(human));
    }
    for (const int robot : world.robots()) facts.robotActions.push_back(world.numActions(robot));
    return facts;
}

std::vector<WorldFacts> factsOf(std::span<const std::shared_ptr<const World>> worlds,
                                EncodingRules rules) {
    if (worlds.empty())
        throw Error("There is no world to learn on; name one.", Error::Kind::BadInput);
    const EncodingShape shape = shapeCovering(worlds, rules);
    std::vector<WorldFacts> all;
    for (const auto& world : worlds) {
        all.push_back(factsOf(*world, shape));
        const WorldFacts& first = all.front();
        const WorldFacts& facts = all.back();
        const auto unlike = [&](const std::string& what) {
            throw Error("'" + facts.name + "' and '" + first.name +
                            "' cannot be learned in one run: " + what + ".",
                        Error::Kind::BadInput);
        };
        if (facts.humans.size() != first.humans.size())
            unlike("they have " + std::to_string(facts.humans.size()) + " and " +
                   std::to_string(first.humans.size()) + " humans");
        if (facts.robotActions != first.robotActions)
            unlike("their robots do not have the same actions");
        for (std::size_t h = 0; h < facts.humans.size(); ++h)
            if (facts.humans[h].numActions != first.humans[h].numActions)
                unlike("human " + std::to_string(h) + " has " +
                       std::to_string(facts.humans[h].numActions) + " actions in one and " +
                       std::to_string(first.humans[h].numActions) + " in the other");
    }
    return all;
}

ActionProfileIndex worldProfile(const World& world, const WorldFacts& facts, int humanProfile,
                                int robotAction) {
    std::vector<int> actions(static_cast<std::size_t>(world.numAgents()), 0);
    for (std::size_t h = facts.humans.size(); h-- > 0;) {
        const WorldFacts::Human& human = facts.humans[h];
        actions[static_cast<std::size_t>(human.agent)] = humanProfile % human.numActions;
        humanProfile /= human.numActions;
    }
    const std::vector<int> robots = world.robots();
    for (std::size_t r = robots.size(); r-- > 0;) {
        actions[static_cast<std::size_t>(robots[r])] = robotAction % facts.robotActions[r];
        robotAction /= facts.robotActions[r];
    }
    return world.profileIndex(actions);
}

}  // namespace orrery
