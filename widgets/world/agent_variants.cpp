#include "widgets/world/agent_variants.h"

#include "core/base/error.h"
#include "core/world/bush_world.h"
#include "core/world/grid_world.h"

namespace orrery {

namespace {

std::vector<AgentVariant> variantsIn(const GridWorld& world, GridState state, int agent, int cell) {
    std::vector<AgentVariant> variants;
    GridState::Agent& moved = state.agents[static_cast<std::size_t>(agent)];
    moved.cell = cell;
    for (int direction = 0; direction < 4; ++direction) {
        moved.direction = static_cast<std::uint8_t>(direction);
        try {
            variants.push_back({world.pack(state), direction});
        } catch (const Error&) {
            break;  // no agent can be in that cell, whatever it faces
        }
    }
    return variants;
}

std::vector<AgentVariant> variantsIn(const BushWorld& world, BushWorld::Parts parts, int agent,
                                     int cell) {
    parts.cells[static_cast<std::size_t>(agent)] = cell;
    try {
        return {{world.pack(parts), -1}};
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

std::vector<AgentVariant> agentVariants(const World& world,
                                        std::span<const std::uint64_t> configuration, int agent,
                                        int cell) {
    if (const auto* grid = dynamic_cast<const GridWorld*>(&world))
        return variantsIn(*grid, grid->unpack(configuration), agent, cell);
    if (const auto* bush = dynamic_cast<const BushWorld*>(&world))
        return variantsIn(*bush, bush->unpack(configuration), agent, cell);
    return {};
}

}  // namespace orrery
