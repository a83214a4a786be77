#include "widgets/world/moment_text.h"

#include <QCoreApplication>
#include <QStringList>

#include "core/dag/paths.h"
#include "widgets/bridge/plan_session.h"

namespace orrery {

namespace {

/// States that the search for the likeliest path may look at: some tens of milliseconds.
constexpr std::int64_t kMaxExpanded = 400;

QString shortName(const std::string& action) {
    if (action == "forward") return QStringLiteral("fwd");
    return QString::fromStdString(action);
}

}  // namespace

QString deedText(const PlanSession& session, std::size_t moment) {
    if (moment == 0) return {};
    const World& world = session.world();
    const std::vector<int> actions = world.profileActions(session.walk()[moment].profile);
    QStringList deeds;
    for (int agent = 0; agent < world.numAgents(); ++agent) {
        const auto index = static_cast<std::size_t>(agent);
        const AgentInfo& info = world.agents()[index];
        const std::string& action = info.actions[static_cast<std::size_t>(actions[index])];
        if (action == "still" || action == "pass") continue;
        deeds << session.letters()[index] + u' ' + shortName(action);
    }
    return deeds.isEmpty() ? QCoreApplication::translate("EpisodeStrip", "all stay")
                           : deeds.join(QStringLiteral(", "));
}

std::shared_ptr<const std::vector<State>> likelyFuture(const Solution& solution, State from,
                                                       int numSteps, std::stop_token stop) {
    const EdgesOf edges = [&](State state) {
        std::vector<WeightedState> ends;
        if (state.step >= solution.world().maxSteps()) return ends;
        for (const Successor& successor : solution.inducedChain(state))
            ends.push_back({successor.state, successor.probability});
        return ends;
    };
    const auto path =
        mostProbablePath(solution.graph(), from, edges, kMaxExpanded, std::move(stop));
    if (!path) return nullptr;
    auto future = std::make_shared<std::vector<State>>();
    for (std::size_t i = 1; i < path->states.size() && std::ssize(*future) < numSteps; ++i)
        future->push_back(path->states[i].state);
    return future;
}

}  // namespace orrery
