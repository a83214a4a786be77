#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/world/world_spec.h"

namespace orrery {

class WorldEditing;
struct WorldFormat;

/// A kind of worlds: all that the rest of the program does not know of it. The parts that a family
/// lacks are null: its worlds are then not read and written, not edited.
struct WorldFamily {
    std::string_view name;  ///< as files say it: "grid"
    std::vector<SpecProblem> (*validate)(const WorldSpec& spec) = nullptr;
    /// @throws Error (BadInput) with the first problem of validate() that is not a warning
    std::shared_ptr<const World> (*make)(const WorldSpec& spec) = nullptr;
    const WorldFormat* format = nullptr;    ///< core/files/world_format.h
    const WorldEditing* editing = nullptr;  ///< core/world/world_editing.h
};

/// The families of the program, the first is that of a file which does not say; those of
/// ownFamilies() unless others were passed in.
std::span<const WorldFamily* const> worldFamilies();

/// Passes in the families of a program; to be called before a world is read.
void useFamilies(std::vector<const WorldFamily*> families);

/// The families of this program (core/families).
std::vector<const WorldFamily*> ownFamilies();

}  // namespace orrery
