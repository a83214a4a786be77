#include <algorithm>
#include <iterator>
#include <tuple>
#include <vector>

#include "core/grid/grid_layout.h"
#include "core/grid/grid_world.h"

namespace orrery {

namespace {

PieceKind kindOf(Terrain terrain) {
    switch (terrain) {
        case Terrain::Floor:
            return PieceKind::Floor;
        case Terrain::GoalTile:
            return PieceKind::GoalTile;
        case Terrain::SwitchTile:
            return PieceKind::SwitchTile;
        case Terrain::Lava:
            return PieceKind::Lava;
        case Terrain::Unsteady:
            return PieceKind::UnsteadyGround;
        case Terrain::Wall:
            return PieceKind::Wall;
        case Terrain::MagicWall:
            return PieceKind::MagicWall;
        case Terrain::Bush:
            return PieceKind::Bush;
        case Terrain::Door:
            return PieceKind::Door;
        case Terrain::KillButton:
            return PieceKind::KillButton;
        case Terrain::PauseSwitch:
            return PieceKind::PauseSwitch;
        case Terrain::DisablingSwitch:
            return PieceKind::DisablingSwitch;
        case Terrain::ControlButton:
            return PieceKind::ControlButton;
    }
    return PieceKind::Floor;
}

Piece terrainPiece(const GridLayout& layout, const GridState& state, int index) {
    const GridCell& cell = layout.cells[index];
    Piece piece;
    piece.kind = kindOf(cell.terrain);
    piece.x = index % layout.width;
    piece.y = index / layout.width;
    piece.color = cell.color;
    const std::size_t k = cell.index;
    switch (cell.terrain) {
        case Terrain::Door:
            piece.door = state.doors[k];
            break;
        case Terrain::MagicWall:
            piece.magicSide = layout.magicSides[k];
            piece.active = state.magicActive[k] != 0;
            break;
        case Terrain::Bush:
            piece.active = state.bushTrampled[k] == 0;
            break;
        case Terrain::KillButton:
            piece.active = state.killEnabled[k] != 0;
            break;
        case Terrain::PauseSwitch:
            piece.active = state.pauseEnabled[k] != 0;
            piece.on = state.pauseOn[k] != 0;
            break;
        case Terrain::DisablingSwitch:
            piece.target = static_cast<int>(layout.disablingTargets[k]);
            break;
        case Terrain::ControlButton:
            piece.active = state.controls[k].enabled;
            piece.on = state.controls[k].awaiting;
            piece.number = state.controls[k].controlledAgent;
            break;
        default:
            break;
    }
    return piece;
}

/// Adds the things and agents of the cells that are wanted.
template <typename Wanted>
void addThings(const GridLayout& layout, const GridState& state, Wanted wanted,
               std::vector<Piece>& pieces) {
    const auto add = [&](PieceKind kind, int cell) -> Piece* {
        if (!wanted(cell)) return nullptr;
        Piece& piece = pieces.emplace_back();
        piece.kind = kind;
        piece.x = cell % layout.width;
        piece.y = cell / layout.width;
        return &piece;
    };
    for (const auto& thing : state.ground)
        if (Piece* piece = add(pieceOf(thing.kind), thing.cell)) piece->color = thing.color;
    for (const auto& mobile : state.mobiles)
        add(mobile.isRock ? PieceKind::Rock : PieceKind::Block, mobile.cell);
    for (std::size_t i = 0; i < state.agents.size(); ++i) {
        const GridState::Agent& agent = state.agents[i];
        Piece* const piece = add(PieceKind::Agent, agent.cell);
        if (piece == nullptr) continue;
        piece->color = layout.agents[i].color;
        piece->direction = agent.direction;
        piece->agent = static_cast<int>(i);
        piece->isHuman = layout.infos[i].role == AgentRole::Human;
        piece->isRobot = layout.infos[i].role == AgentRole::Robot;
        piece->terminated = agent.terminated;
        piece->paused = agent.paused;
        piece->carried = agent.carried;
        piece->carriedColor = agent.carriedColor;
    }
}

/// The cells in which two states differ, and perhaps some more.
std::vector<int> differingCells(const GridLayout& layout, const GridState& a, const GridState& b) {
    std::vector<int> cells;
    const auto compare = [&](const auto& ofA, const auto& ofB, const std::vector<int>& at) {
        for (std::size_t k = 0; k < ofA.size(); ++k)
            if (!(ofA[k] == ofB[k])) cells.push_back(at[k]);
    };
    compare(a.doors, b.doors, layout.doorCells);
    compare(a.magicActive, b.magicActive, layout.magicCells);
    compare(a.bushTrampled, b.bushTrampled, layout.bushCells);
    compare(a.killEnabled, b.killEnabled, layout.killCells);
    compare(a.pauseOn, b.pauseOn, layout.pauseCells);
    compare(a.pauseEnabled, b.pauseEnabled, layout.pauseCells);
    compare(a.controls, b.controls, layout.controlCells);
    for (std::size_t i = 0; i < a.agents.size(); ++i)
        if (!(a.agents[i] == b.agents[i]))
            cells.insert(cells.end(), {a.agents[i].cell, b.agents[i].cell});
    // Things that are alike may change places in their list.
    const auto moved = [&cells](auto ofA, auto ofB) {
        std::ranges::sort(ofA), std::ranges::sort(ofB);
        std::vector<std::tuple<int, int, int>> either;
        std::ranges::set_symmetric_difference(ofA, ofB, std::back_inserter(either));
        for (const auto& [cell, kind, color] : either) cells.push_back(cell);
    };
    const auto mobiles = [](const GridState& state) {
        std::vector<std::tuple<int, int, int>> list;
        for (const auto& mobile : state.mobiles) list.emplace_back(mobile.cell, mobile.isRock, 0);
        return list;
    };
    const auto ground = [](const GridState& state) {
        std::vector<std::tuple<int, int, int>> list;
        for (const auto& thing : state.ground)
            list.emplace_back(thing.cell, static_cast<int>(thing.kind),
                              static_cast<int>(thing.color));
        return list;
    };
    moved(mobiles(a), mobiles(b));
    moved(ground(a), ground(b));
    std::ranges::sort(cells);
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

}  // namespace

std::vector<Piece> GridWorld::sceneIn(std::span<const std::uint64_t> configuration,
                                      const CellArea& seen) const {
    const GridLayout& layout = *m_layout;
    GridState state;
    layout.unpack(configuration.data(), state);
    const int left = std::max(0, seen.x), top = std::max(0, seen.y);
    const int right = std::min(layout.width, seen.x + seen.width);
    const int bottom = std::min(layout.height, seen.y + seen.height);
    std::vector<Piece> pieces;
    pieces.reserve(static_cast<std::size_t>(std::max(0, right - left)) *
                       static_cast<std::size_t>(std::max(0, bottom - top)) +
                   state.agents.size());
    for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x)
            pieces.push_back(terrainPiece(layout, state, y * layout.width + x));
    addThings(
        layout, state,
        [&](int cell) { return seen.contains(cell % layout.width, cell / layout.width); }, pieces);
    return pieces;
}

SceneChange GridWorld::change(std::span<const std::uint64_t> before,
                              std::span<const std::uint64_t> after) const {
    const GridLayout& layout = *m_layout;
    GridState old, now;
    layout.unpack(before.data(), old);
    layout.unpack(after.data(), now);
    const std::vector<int> cells = differingCells(layout, old, now);
    const auto piecesOf = [&](const GridState& state) {
        std::vector<Piece> pieces;
        pieces.reserve(cells.size());
        for (const int cell : cells) pieces.push_back(terrainPiece(layout, state, cell));
        addThings(
            layout, state, [&](int cell) { return std::ranges::binary_search(cells, cell); },
            pieces);
        return pieces;
    };
    return changeBetween(piecesOf(old), piecesOf(now));
}

}  // namespace orrery
