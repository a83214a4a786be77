#pragma once

#include <cstdint>
#include <vector>

#include "core/world/piece.h"

namespace orrery {

/// A configuration of the grid world taken apart. Cells are indices y * width + x.
struct GridState {
    struct Agent {
        std::int32_t cell = 0;
        std::uint8_t direction = 0;  ///< 0 E, 1 S, 2 W, 3 N
        bool terminated = false;
        bool paused = false;
        Carried carried = Carried::Nothing;
        Color carriedColor = Color::Grey;  ///< Grey while nothing is carried
        std::int16_t forcedAction = -1;  ///< the next action that replaces the chosen one; -1 none
        bool operator==(const Agent&) const = default;
    };
    /// Blocks (first) and rocks, each kind sorted by (x, y): equal ones are interchangeable.
    struct Mobile {
        bool isRock = false;
        std::int32_t cell = 0;
        bool operator==(const Mobile&) const = default;
    };
    /// A key, ball or box on the ground, sorted by (kind, x, y, colour) with ball < box < key.
    struct Pickable {
        Carried kind = Carried::Nothing;
        std::int32_t cell = 0;
        Color color = Color::Grey;
        bool operator==(const Pickable&) const = default;
    };
    struct Control {
        bool enabled = true;
        bool awaiting = false;
        std::int16_t controlledAgent = -1;
        std::int16_t triggeredAction = -1;
        bool operator==(const Control&) const = default;
    };

    std::vector<Agent> agents;
    std::vector<Mobile> mobiles;
    std::vector<Pickable> ground;
    std::vector<DoorState> doors;            ///< row-major order of the initial map, as all below
    std::vector<std::uint8_t> magicActive;   ///< 1 active, 0 solid
    std::vector<std::uint8_t> bushTrampled;  ///< 1 trampled
    std::vector<std::uint8_t> killEnabled;
    std::vector<std::uint8_t> pauseOn;
    std::vector<std::uint8_t> pauseEnabled;
    std::vector<Control> controls;

    bool operator==(const GridState&) const = default;
};

}  // namespace orrery
