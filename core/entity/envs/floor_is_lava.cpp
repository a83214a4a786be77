#include "core/entity/envs/floor_is_lava.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace orrery {

namespace {

/// n, ne, e, se, s, sw, w, nw
constexpr std::array<Cell, 8> kNeighbours{
    {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};
constexpr int kFarthestStart = 1000;

Cell beside(const Cell& cell, const Cell& by) {
    return {cell.x + by.x, cell.y + by.y};
}

}  // namespace

FloorIsLava::FloorIsLava()
    : EntityGame("FloorIsLava",
                 {.observations = {thingsOf("Lava", {"x", "y"}), thingsOf("HighGround", {"x", "y"}),
                                   thingsOf("Player", {"x", "y"})},
                  .actions = {choiceOf("move", {"n", "ne", "e", "se", "s", "sw", "w", "nw"})}}) {}

void FloorIsLava::begin(Rng& rng) {
    const auto place = [&] {
        return static_cast<int>(rng.below(2 * kFarthestStart + 1)) - kFarthestStart;
    };
    m_player.x = place();
    m_player.y = place();
    std::array<Cell, kNeighbours.size()> cells = kNeighbours;
    const std::size_t numCells = 1 + rng.below(cells.size());
    m_lava.clear();
    for (std::size_t i = 0; i < numCells; ++i) {
        std::swap(cells[i], cells[i + rng.below(cells.size() - i)]);
        const Cell cell = beside(m_player, cells[i]);
        if (i == 0)
            m_highGround = cell;
        else
            m_lava.push_back(cell);
    }
}

void FloorIsLava::act(std::span<const ActionTaken> taken, Rng& /*rng*/, StepResult& result) {
    m_player = beside(m_player, kNeighbours[static_cast<std::size_t>(taken[0].indices[0])]);
    const bool isSafe = m_player == m_highGround;
    end(result, isSafe ? 1 : 0, isSafe ? EpisodeEnd::Success : EpisodeEnd::Failure);
}

void FloorIsLava::observe(FrameWriter& out) const {
    put(out.things(kLava, std::ssize(m_lava)), m_lava);
    put(out.things(kHighGround, 1), m_highGround);
    put(out.things(kPlayer, 1), m_player);
    out.addActors(0, out.first(kPlayer), 1);
}

nlohmann::json FloorIsLava::toJson() const {
    return {{"player", jsonOf(m_player)},
            {"high_ground", jsonOf(m_highGround)},
            {"lava", jsonOf(m_lava)}};
}

void FloorIsLava::fromJson(const nlohmann::json& state) {
    const auto player = cellOf(state.at("player")), highGround = cellOf(state.at("high_ground"));
    m_lava = cellsOf(state.at("lava"));
    m_player = player;
    m_highGround = highGround;
}

}  // namespace orrery
