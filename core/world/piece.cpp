#include "core/world/piece.h"

namespace orrery {

const char* colorName(Color color) {
    switch (color) {
        case Color::Red:
            return "red";
        case Color::Green:
            return "green";
        case Color::Blue:
            return "blue";
        case Color::Purple:
            return "purple";
        case Color::Yellow:
            return "yellow";
        case Color::Grey:
            return "grey";
        case Color::Brown:
            return "brown";
    }
    return "?";
}

const char* pieceName(PieceKind kind) {
    switch (kind) {
        case PieceKind::Floor:
            return "floor";
        case PieceKind::Wall:
            return "wall";
        case PieceKind::GoalTile:
            return "goal tile";
        case PieceKind::SwitchTile:
            return "switch tile";
        case PieceKind::Lava:
            return "lava";
        case PieceKind::UnsteadyGround:
            return "unsteady ground";
        case PieceKind::Block:
            return "block";
        case PieceKind::Rock:
            return "rock";
        case PieceKind::Door:
            return "door";
        case PieceKind::Key:
            return "key";
        case PieceKind::Ball:
            return "ball";
        case PieceKind::Box:
            return "box";
        case PieceKind::MagicWall:
            return "magic wall";
        case PieceKind::Bush:
            return "bush";
        case PieceKind::KillButton:
            return "kill button";
        case PieceKind::PauseSwitch:
            return "pause switch";
        case PieceKind::DisablingSwitch:
            return "disabling switch";
        case PieceKind::ControlButton:
            return "control button";
        case PieceKind::Agent:
            return "agent";
        case PieceKind::Number:
            return "number";
    }
    return "?";
}

}  // namespace orrery
