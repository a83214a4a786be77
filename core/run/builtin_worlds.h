#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// The folder with the program's data (worlds/, specs/): $ORRERY_DATA, or share/orrery beside the
/// program's own folder, or the source tree it was built from; the first that exists.
/// @throws Error (Resource) naming the places if there is none
std::filesystem::path dataFolder();

/// Names of the example worlds, in alphabetical order; "builtin:" + name opens one.
std::vector<std::string> builtinWorlds();

/// True for "builtin:NAME".
bool isBuiltinWorld(std::string_view world);

/// The file of an example world.
/// @param world "builtin:NAME"
/// @throws Error (BadInput) with the nearest name if there is no such world
std::filesystem::path builtinWorldFile(std::string_view world);

/// Seconds that exploring and solving each example takes on a plain machine, by its name without
/// "builtin:". One that was not measured is not there.
std::map<std::string, double> exampleSolveSeconds();

}  // namespace orrery
