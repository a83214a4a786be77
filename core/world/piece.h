#pragma once

#include <cstdint>

namespace orrery {

/// Colours of doors, keys, balls, boxes and agents, with the original's codes.
enum class Color : std::uint8_t { Red, Green, Blue, Purple, Yellow, Grey, Brown };

/// "red", "green", "blue", "purple", "yellow", "grey", "brown".
const char* colorName(Color color);

enum class PieceKind : std::uint8_t {
    Floor,
    Wall,
    GoalTile,
    SwitchTile,
    Lava,
    UnsteadyGround,
    Block,
    Rock,
    Door,
    Key,
    Ball,
    Box,
    MagicWall,
    Bush,
    KillButton,
    PauseSwitch,
    DisablingSwitch,
    ControlButton,
    Agent,
    Number,
};

/// "wall", "kill button", ...
const char* pieceName(PieceKind kind);

/// What lies in an agent's hands.
enum class Carried : std::uint8_t { Nothing, Key, Ball, Box };

enum class DoorState : std::uint8_t { Open, Closed, Locked };

/// Cells of a map: from (x, y) on so many columns and rows, as far as there are any.
struct CellArea {
    int x = 0, y = 0;
    int width = 1 << 30, height = 1 << 30;

    bool contains(int column, int row) const {
        return column >= x && row >= y && column - x < width && row - y < height;
    }
};

/// One thing to draw in a cell. Only the members that its kind names have a meaning.
struct Piece {
    PieceKind kind = PieceKind::Floor;
    int x = 0, y = 0;                  ///< cell
    Color color = Color::Grey;         ///< wall, door, key, ball, box, agent
    DoorState door = DoorState::Open;  ///< door
    std::uint8_t magicSide = 0;        ///< magic wall: 0 E, 1 S, 2 W, 3 N, 4 all
    bool active = true;                ///< magic wall not solid; bush not trampled; button enabled
    bool on = false;                   ///< pause switch pauses; control button awaits its recording
    std::uint8_t direction = 0;        ///< agent: 0 E, 1 S, 2 W, 3 N; 4 none
    int agent = -1;                    ///< agent: its index
    bool isHuman = false, isRobot = false;    ///< agent
    bool terminated = false, paused = false;  ///< agent
    Carried carried = Carried::Nothing;       ///< agent
    Color carriedColor = Color::Grey;         ///< agent
    int number = 0;   ///< Number: a density; control button: controlled agent or -1
    int target = -1;  ///< disabling switch: the PieceKind it disables
};

}  // namespace orrery
