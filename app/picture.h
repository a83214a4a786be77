#pragma once

#include <filesystem>
#include <vector>

#include "core/solve/solution.h"
#include "core/world/world.h"

namespace orrery {

/// Draws a configuration to a file, PNG or SVG by its extension, without a display.
/// @throws Error (BadInput for another extension, Resource if it cannot be written)
void saveWorldPicture(const World& world, const Configuration& configuration,
                      const std::filesystem::path& file);

/// Draws level sizes and mean V_r by step as a PNG, without a display.
/// @throws Error (BadInput if the name does not end in .png, Resource if it cannot be written)
void saveLevelPlot(const World& world, const std::vector<SolveStatistics::Level>& levels,
                   const std::filesystem::path& file);

}  // namespace orrery
