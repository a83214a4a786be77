#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/progress.h"
#include "core/solve/solution.h"
#include "core/world/world.h"
#include "widgets/export/film_spec.h"

namespace orrery {

/// Draws a configuration to a file, PNG or SVG by its extension, without a display.
/// @throws Error (BadInput for another extension, Resource if it cannot be written)
void saveWorldPicture(const World& world, const Configuration& configuration,
                      const std::filesystem::path& file);

/// Draws level sizes and mean V_r by step as a PNG, without a display.
/// @throws Error (BadInput if the name does not end in .png, Resource if it cannot be written)
void saveLevelPlot(const World& world, const std::vector<SolveStatistics::Level>& levels,
                   const std::filesystem::path& file);

/// Writes the states of an episode, one a frame, as writeFilm does, without a display.
/// @param configurations  words, first to last
/// @return false if stopped
bool saveEpisode(std::shared_ptr<const World> world,
                 std::vector<std::vector<std::uint64_t>> configurations, const FilmSpec& spec,
                 const std::stop_token& stop, const ProgressSink& progress);

}  // namespace orrery
