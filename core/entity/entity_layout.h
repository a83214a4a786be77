#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/env/spaces.h"

namespace orrery {

/// How a network of things sees spaces: their types in order, and last, if there are global
/// features or an action of the whole game, one more thing a frame that stands for the game.
struct EntityLayout {
    struct Type {
        std::string name;
        std::vector<std::string> features;
        std::size_t part = 0;  ///< of the observations; not of the game's own
    };
    std::vector<Type> types;           ///< the game's own last
    std::vector<std::size_t> globals;  ///< parts that are arrays, in the order of its features
    bool hasGlobal = false;            ///< the last type stands for the game
    bool hasGlobalAction = false;      ///< the game itself acts
    std::vector<ActionSpace> actions;

    /// Types of things.
    std::size_t numTypes() const { return types.size() - (hasGlobal ? 1 : 0); }
};

/// @throws Error (BadInput) for spaces that are neither things nor arrays, and for actions that are
///         vectors of numbers
EntityLayout entityLayoutOf(const EnvironmentSpaces& spaces);

}  // namespace orrery
