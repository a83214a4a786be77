#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/files/world_file.h"
#include "core/world/world.h"

namespace orrery {

/// A world file as specs, forms and command lines name it.
struct WorldRef {
    /// Path of a world file, or "builtin:NAME" for a world of resources/worlds.
    std::string name = {};
    /// The text of the file where it is not to be read from `name`, which is then the name in
    /// messages: an edited world that has no file yet, or a stored run's own copy.
    std::optional<std::string> text = {};
    bool lenient = false;  ///< unknown keys of the file are warnings

    bool operator==(const WorldRef&) const = default;
};

/// What was read of a world, right or not.
struct WorldReading {
    std::string text;  ///< of the file
    WorldFile file;
};

/// The text of a world's file.
/// @throws Error (BadInput, Resource) if there is no such file or built-in world
std::string worldFileText(const WorldRef& world);

/// Reads a world's file, or takes its text.
/// @throws Error as worldFileText
WorldReading readWorld(const WorldRef& world);

/// A world whose file must be right.
/// @throws Error as worldFileText, (BadInput) with one line for each error of the file
std::shared_ptr<const World> requireWorld(const WorldRef& world);
std::vector<std::shared_ptr<const World>> requireWorlds(const std::vector<WorldRef>& worlds);

/// The content hash of a world, or of several in their order; empty of none.
std::string worldHashOf(const std::vector<std::string>& hashes);
std::string worldHashOf(const std::vector<std::shared_ptr<const World>>& worlds);

}  // namespace orrery
