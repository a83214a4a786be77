#include "widgets/world/heat_field.h"

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/solve/solution.h"
#include "core/world/bush_world.h"
#include "core/world/grid_world.h"

namespace orrery {

namespace {

/// A configuration with the agent elsewhere; direction -1 where the world has none.
struct Variant {
    Configuration configuration;
    int direction = -1;
};

std::vector<Variant> variantsAt(const GridWorld& world, const GridState& state, int agent,
                                int cell) {
    std::vector<Variant> variants;
    GridState moved = state;
    moved.agents[static_cast<std::size_t>(agent)].cell = cell;
    for (int direction = 0; direction < 4; ++direction) {
        moved.agents[static_cast<std::size_t>(agent)].direction =
            static_cast<std::uint8_t>(direction);
        try {
            variants.push_back({world.pack(moved), direction});
        } catch (const Error&) {
            break;  // no agent can be in that cell, whatever it faces
        }
    }
    return variants;
}

std::vector<Variant> variantsAt(const BushWorld& world, BushWorld::Parts parts, int agent,
                                int cell) {
    parts.cells[static_cast<std::size_t>(agent)] = cell;
    try {
        return {{world.pack(parts), -1}};
    } catch (const Error&) {
        return {};
    }
}

std::vector<Variant> variantsAt(const World& world, std::span<const std::uint64_t> configuration,
                                int agent, int cell) {
    if (const auto* grid = dynamic_cast<const GridWorld*>(&world))
        return variantsAt(*grid, grid->unpack(configuration), agent, cell);
    if (const auto* bush = dynamic_cast<const BushWorld*>(&world))
        return variantsAt(*bush, bush->unpack(configuration), agent, cell);
    return {};
}

/// The policy of the moved agent in one state: pi_h of the goal, or the robot's marginal.
std::vector<double> policyOf(const Solution& solution, const HeatRequest& request, State state) {
    const StateValues values = solution.values(state);
    if (values.terminal) return {};
    if (request.human >= 0)
        return values
            .pi_h[static_cast<std::size_t>(request.human)][static_cast<std::size_t>(request.goal)];
    const World& world = solution.world();
    const RobotProfiles profiles = robotProfiles(world);
    const auto robot = std::ranges::find(profiles.robots, request.agent);
    if (robot == profiles.robots.end()) {
        for (std::size_t h = 0; h < world.goals().size(); ++h)
            if (world.goals()[h].agent == request.agent) return values.marginal[h];
        return {};
    }
    std::vector<double> marginal(static_cast<std::size_t>(world.numActions(request.agent)));
    const auto column = static_cast<std::size_t>(robot - profiles.robots.begin());
    for (std::size_t r = 0; r < values.pi_r.size(); ++r)
        marginal[static_cast<std::size_t>(profiles.actions[r][column])] += values.pi_r[r];
    return marginal;
}

void addMoves(const Solution& solution, const HeatRequest& request, State state, int direction,
              HeatCell& cell) {
    const std::vector<double> policy = policyOf(solution, request, state);
    const auto& actions =
        solution.world().agents()[static_cast<std::size_t>(request.agent)].actions;
    static constexpr std::array<const char*, 4> kMoves = {"east", "south", "west", "north"};
    for (std::size_t a = 0; a < policy.size(); ++a) {
        if (direction >= 0 && actions[a] == "forward")
            cell.move[static_cast<std::size_t>(direction)] = policy[a];
        for (std::size_t d = 0; d < 4 && direction < 0; ++d)
            if (actions[a] == kMoves[d]) cell.move[d] = policy[a];
    }
}

}  // namespace

std::shared_ptr<const HeatField> computeHeat(const Solution& solution, const HeatRequest& request,
                                             std::stop_token stop) {
    const StateGraph& graph = solution.graph();
    const World& world = solution.world();
    auto field = std::make_shared<HeatField>();
    field->request = request;
    field->width = world.width();
    field->height = world.height();
    field->cells.resize(static_cast<std::size_t>(world.width() * world.height()));
    field->low = std::numeric_limits<double>::infinity();
    field->high = -field->low;
    for (int c = 0; c < std::ssize(field->cells); ++c) {
        if (stop.stop_requested()) return nullptr;
        HeatCell& cell = field->cells[static_cast<std::size_t>(c)];
        double sum = 0;
        for (const Variant& variant :
             variantsAt(world, graph.configuration(request.state.config), request.agent, c)) {
            const auto config = graph.find(variant.configuration);
            if (!config || !graph.inLevel(request.state.step, *config)) continue;
            const State state{request.state.step, *config};
            sum += request.human >= 0 ? solution.v_h_e(state, request.human, request.goal)
                                      : solution.v_r(state);
            ++cell.count;
            if (request.withArrows) addMoves(solution, request, state, variant.direction, cell);
        }
        if (cell.count == 0) continue;
        cell.value = sum / cell.count;
        field->low = std::min(field->low, cell.value);
        field->high = std::max(field->high, cell.value);
        ++field->numKnown;
    }
    if (field->numKnown == 0) field->low = field->high = 0;
    return field;
}

}  // namespace orrery
