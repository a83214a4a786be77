#include "widgets/replay/replay_source.h"

#include <QObject>
#include <algorithm>

#include "core/collect/facts.h"
#include "core/dag/state_graph.h"
#include "core/solve/solution.h"
#include "widgets/common/agent_letters.h"

namespace orrery {

namespace {

/// One action of each robot, the first slowest.
std::vector<int> robotActionsOf(const WorldFacts& facts, int robotAction) {
    std::vector<int> actions(facts.robotActions.size());
    for (std::size_t r = actions.size(); r-- > 0;) {
        actions[r] = robotAction % facts.robotActions[r];
        robotAction /= facts.robotActions[r];
    }
    return actions;
}

QString actionName(const World& world, int agent, int action) {
    const std::vector<std::string>& names = world.agents()[static_cast<std::size_t>(agent)].actions;
    return action >= 0 && action < std::ssize(names)
               ? QString::fromStdString(names[static_cast<std::size_t>(action)])
               : QString::number(action);
}

}  // namespace

std::shared_ptr<const ReplaySource> makeReplaySource(
    const ShownBuffer& shown, const EmpoSpec& spec,
    const std::vector<std::shared_ptr<const World>>& worlds,
    const std::vector<std::shared_ptr<const Solution>>& exact) {
    auto source = std::make_shared<ReplaySource>();
    source->replay = shown.replay;
    source->step = shown.step;
    source->spec = spec;
    source->schedule = EmpoSchedule(spec);
    source->worlds = worlds;
    source->facts = factsOf(worlds, spec.encodingRules());
    source->exact = exact;
    for (const auto& solution : exact) {
        if (!solution) {
            source->exactStates = 0;
            break;
        }
        source->exactStates += solution->graph().counts().states;
    }
    for (std::size_t i = 0; i < source->size(); ++i) {
        const std::uint32_t model = source->at(i).model;
        if (model >= source->alike.size())
            source->alike.resize(std::max<std::size_t>(model + 1U, 2 * source->alike.size()));
        if (source->alike[model]++ == 0) ++source->startStates;
    }
    return source;
}

QString robotActionText(const World& world, const WorldFacts& facts, int robotAction) {
    const std::vector<QString> letters = agentLetters(world);
    const std::vector<int> actions = robotActionsOf(facts, robotAction);
    const std::vector<int> robots = world.robots();
    QStringList parts;
    for (std::size_t r = 0; r < robots.size(); ++r)
        parts += letters[static_cast<std::size_t>(robots[r])] + u' ' +
                 actionName(world, robots[r], actions[r]);
    return parts.join(QStringLiteral(" · "));
}

QString robotActionName(const World& world, const WorldFacts& facts, int robotAction) {
    const std::vector<int> actions = robotActionsOf(facts, robotAction);
    const std::vector<int> robots = world.robots();
    QStringList parts;
    for (std::size_t r = 0; r < robots.size(); ++r)
        parts += actionName(world, robots[r], actions[r]);
    return parts.join(u'+');
}

QString humanActionsText(const ReplaySource& source, std::size_t i) {
    const World& world = source.worldOf(i);
    const std::vector<QString> letters = agentLetters(world);
    QStringList parts;
    const auto& humans = source.factsOf(i).humans;
    for (std::size_t h = 0; h < humans.size(); ++h)
        parts += letters[static_cast<std::size_t>(humans[h].agent)] + u' ' +
                 actionName(world, humans[h].agent, source.at(i).humanActions[h]);
    return parts.join(QStringLiteral(" · "));
}

QString goalOfHuman(const World& world, int human, int goal) {
    const HumanGoals& goals = world.goals()[static_cast<std::size_t>(human)];
    return QStringLiteral("%1 %2").arg(
        agentLetters(world)[static_cast<std::size_t>(goals.agent)],
        goal >= 0 && goal < std::ssize(goals.goals)
            ? QString::fromStdString(goalText(goals.goals[static_cast<std::size_t>(goal)]))
            : QString::number(goal));
}

QString goalsText(const ReplaySource& source, std::size_t i) {
    QStringList parts;
    for (std::size_t h = 0; h < source.factsOf(i).humans.size(); ++h)
        parts += goalOfHuman(source.worldOf(i), static_cast<int>(h), source.at(i).goals[h]);
    return parts.join(QStringLiteral(" · "));
}

QString endText(const ReplaySource& source, std::size_t i) {
    if (source.replay->modelOf(i).endsWorld) return QObject::tr("end of the world");
    if (source.at(i).endsEpisode) return QObject::tr("end of the episode");
    return {};
}

}  // namespace orrery
