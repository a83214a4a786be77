#include <algorithm>

#include "core/base/error.h"
#include "core/grid/grid_layout.h"
#include "core/grid/grid_world.h"

namespace orrery {

bool GridWorld::pushesRocks(int agent) const {
    return m_layout->agents[static_cast<std::size_t>(agent)].canPushRocks;
}

std::size_t GridWorld::mostObstacles(int agent) const {
    const GridState& start = m_layout->initial;
    const auto rocks = std::ranges::count(start.mobiles, true, &GridState::Mobile::isRock);
    return start.doors.size() + start.ground.size() +
           (pushesRocks(agent) ? 0 : static_cast<std::size_t>(rocks));
}

Situation GridWorld::situationOf(std::span<const std::uint64_t> configuration, int agent) const {
    Situation situation;
    const GridState state = unpack(configuration);
    const GridState::Agent& self = state.agents[static_cast<std::size_t>(agent)];
    situation.hands = self.carried;
    situation.handsColor = self.carriedColor;
    for (std::size_t k = 0; k < state.doors.size(); ++k)
        if (state.doors[k] != DoorState::Open)
            situation.obstacles.push_back(
                {PieceKind::Door, state.doors[k], m_fixed.doorColors[k], m_fixed.doors[k]});
    for (const GridState::Pickable& thing : state.ground)
        situation.obstacles.push_back(
            {pieceOf(thing.kind), DoorState::Open, thing.color, thing.cell});
    for (const GridState::Mobile& mobile : state.mobiles)
        if (mobile.isRock && !pushesRocks(agent))
            situation.obstacles.push_back(
                {PieceKind::Rock, DoorState::Open, Color::Grey, mobile.cell});
    return situation;
}

std::vector<AgentVariant> GridWorld::variants(std::span<const std::uint64_t> configuration,
                                              int agent, int cell) const {
    std::vector<AgentVariant> variants;
    GridState state = unpack(configuration);
    GridState::Agent& moved = state.agents[static_cast<std::size_t>(agent)];
    moved.cell = cell;
    for (int direction = 0; direction < 4; ++direction) {
        moved.direction = static_cast<std::uint8_t>(direction);
        try {
            variants.push_back({pack(state), direction});
        } catch (const Error&) {
            break;  // no agent can be in that cell, whatever it faces
        }
    }
    return variants;
}

std::uint64_t GridWorld::episodeSeed() const {
    return static_cast<std::uint64_t>(std::max(0, spec().seed));
}

}  // namespace orrery
