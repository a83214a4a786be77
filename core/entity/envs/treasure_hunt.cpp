#include "core/entity/envs/treasure_hunt.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace orrery {

namespace {

constexpr int kEach = 5, kSide = 11, kMiddle = 5, kBorder = 10;

}  // namespace

TreasureHunt::TreasureHunt()
    : EntityGame("TreasureHunt",
                 {.observations = {thingsOf("Trap", {"x_pos", "y_pos"}),
                                   thingsOf("Treasure", {"x_pos", "y_pos"}),
                                   globalsOf({"x_pos", "y_pos"})},
                  .actions = {globalChoiceOf("move", {"up", "down", "left", "right"})}}) {}

void TreasureHunt::begin(Rng& rng) {
    m_hunter = {};
    // Of one more than is needed, the start is left out or the last one is.
    std::vector<Cell> cells = distinctCells(rng, kSide, kSide, 2 * kEach + 1);
    for (Cell& cell : cells) cell = {cell.x - kMiddle, cell.y - kMiddle};
    if (std::erase(cells, Cell{}) == 0) cells.pop_back();
    m_traps.assign(cells.begin(), cells.begin() + kEach);
    m_treasures.assign(cells.begin() + kEach, cells.end());
}

void TreasureHunt::act(std::span<const ActionTaken> taken, Rng& /*rng*/, StepResult& result) {
    constexpr Cell kMoves[] = {{0, 1}, {0, -1}, {-1, 0}, {1, 0}};
    const Cell& by = kMoves[taken[0].indices[0]];
    m_hunter.x = std::clamp(m_hunter.x + by.x, -kBorder, kBorder);
    m_hunter.y = std::clamp(m_hunter.y + by.y, -kBorder, kBorder);
    const double found = static_cast<double>(std::erase(m_treasures, m_hunter));
    const bool isTrapped = std::ranges::find(m_traps, m_hunter) != m_traps.end();
    end(result, found,
        m_treasures.empty() ? EpisodeEnd::Success
        : isTrapped         ? EpisodeEnd::Failure
                            : EpisodeEnd::None);
}

void TreasureHunt::observe(FrameWriter& out) const {
    put(out.things(kTrap, std::ssize(m_traps)), m_traps);
    put(out.things(kTreasure, std::ssize(m_treasures)), m_treasures);
    put(out.array(kGlobal), m_hunter);
}

nlohmann::json TreasureHunt::toJson() const {
    return {
        {"pos", jsonOf(m_hunter)}, {"traps", jsonOf(m_traps)}, {"treasure", jsonOf(m_treasures)}};
}

void TreasureHunt::fromJson(const nlohmann::json& state) {
    const auto hunter = cellOf(state.at("pos"));
    const auto traps = cellsOf(state.at("traps"));
    m_treasures = cellsOf(state.at("treasure"));
    m_traps = traps;
    m_hunter = hunter;
}

}  // namespace orrery
