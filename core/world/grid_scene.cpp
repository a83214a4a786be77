#include "core/world/grid_layout.h"
#include "core/world/grid_world.h"

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

}  // namespace

std::vector<Piece> GridWorld::scene(std::span<const std::uint64_t> configuration) const {
    const GridLayout& layout = *m_layout;
    GridState state;
    layout.unpack(configuration.data(), state);
    std::vector<Piece> pieces;
    pieces.reserve(layout.cells.size() + state.agents.size());
    for (int cell = 0; cell < layout.width * layout.height; ++cell)
        pieces.push_back(terrainPiece(layout, state, cell));
    const auto at = [&](PieceKind kind, int cell) {
        Piece piece;
        piece.kind = kind;
        piece.x = cell % layout.width;
        piece.y = cell / layout.width;
        return piece;
    };
    for (const auto& thing : state.ground) {
        Piece piece = at(thing.kind == Carried::Key    ? PieceKind::Key
                         : thing.kind == Carried::Ball ? PieceKind::Ball
                                                       : PieceKind::Box,
                         thing.cell);
        piece.color = thing.color;
        pieces.push_back(piece);
    }
    for (const auto& mobile : state.mobiles)
        pieces.push_back(at(mobile.isRock ? PieceKind::Rock : PieceKind::Block, mobile.cell));
    for (std::size_t i = 0; i < state.agents.size(); ++i) {
        const GridState::Agent& agent = state.agents[i];
        Piece piece = at(PieceKind::Agent, agent.cell);
        piece.color = layout.agents[i].color;
        piece.direction = agent.direction;
        piece.agent = static_cast<int>(i);
        piece.isHuman = layout.infos[i].role == AgentRole::Human;
        piece.isRobot = layout.infos[i].role == AgentRole::Robot;
        piece.terminated = agent.terminated;
        piece.paused = agent.paused;
        piece.carried = agent.carried;
        piece.carriedColor = agent.carriedColor;
        pieces.push_back(piece);
    }
    return pieces;
}

}  // namespace orrery
