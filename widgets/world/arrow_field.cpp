#include "widgets/world/arrow_field.h"

#include <algorithm>

#include "core/solve/solution.h"

namespace orrery {

namespace {

/// The policy of the moved agent in one state; empty if it has none there.
std::vector<double> policyOf(const Solution& solution, const ArrowRequest& request, State state) {
    const StateValues values = solution.values(state);
    if (values.terminal) return {};
    const World& world = solution.world();
    for (std::size_t h = 0; h < world.goals().size(); ++h) {
        if (world.goals()[h].agent != request.agent) continue;
        const auto goal = static_cast<std::size_t>(request.goal);
        return request.goal >= 0 && goal < values.pi_h[h].size() ? values.pi_h[h][goal]
                                                                 : values.marginal[h];
    }
    const RobotProfiles profiles = robotProfiles(world);
    const auto robot = std::ranges::find(profiles.robots, request.agent);
    if (robot == profiles.robots.end()) return {};
    std::vector<double> marginal(static_cast<std::size_t>(world.numActions(request.agent)));
    const auto column = static_cast<std::size_t>(robot - profiles.robots.begin());
    for (std::size_t r = 0; r < values.pi_r.size(); ++r)
        marginal[static_cast<std::size_t>(profiles.actions[r][column])] += values.pi_r[r];
    return marginal;
}

void addMoves(const World& world, int agent, const std::vector<double>& policy, int direction,
              std::array<double, 4>& move) {
    static constexpr std::array<const char*, 4> kMoves = {"east", "south", "west", "north"};
    const auto& actions = world.agents()[static_cast<std::size_t>(agent)].actions;
    for (std::size_t a = 0; a < policy.size(); ++a) {
        if (direction >= 0 && actions[a] == "forward")
            move[static_cast<std::size_t>(direction)] = policy[a];
        for (std::size_t d = 0; d < 4 && direction < 0; ++d)
            if (actions[a] == kMoves[d]) move[d] = policy[a];
    }
}

}  // namespace

std::shared_ptr<const ArrowField> computeArrows(const Solution& solution,
                                                const ArrowRequest& request, std::stop_token stop) {
    const StateGraph& graph = solution.graph();
    const World& world = solution.world();
    auto field = std::make_shared<ArrowField>();
    field->request = request;
    field->width = world.width();
    field->height = world.height();
    field->cells.resize(
        static_cast<std::size_t>(world.width()) * static_cast<std::size_t>(world.height()),
        {-1, -1, -1, -1});
    for (int c = 0; c < std::ssize(field->cells); ++c) {
        for (const AgentVariant& variant :
             world.variants(graph.configuration(request.state.config), request.agent, c)) {
            if (stop.stop_requested()) return nullptr;
            const auto config = graph.find(variant.configuration);
            if (!config || !graph.inLevel(request.state.step, *config)) continue;
            addMoves(world, request.agent,
                     policyOf(solution, request, {request.state.step, *config}), variant.direction,
                     field->cells[static_cast<std::size_t>(c)]);
        }
    }
    return field;
}

}  // namespace orrery
