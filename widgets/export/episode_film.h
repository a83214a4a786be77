#pragma once

#include <QSize>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/progress.h"
#include "core/world/world.h"
#include "widgets/export/film_spec.h"
#include "widgets/world/overlay.h"
#include "widgets/world/world_painter.h"

namespace orrery {

class Solution;

/// What is laid over the cells in every frame. The fields of the requests that name a state are
/// filled in frame by frame.
struct FilmOverlay {
    std::shared_ptr<const Solution> solution;
    std::optional<HeatRequest> heat;
    HeatRange heatRange;  ///< Auto: one range for the whole episode
    std::optional<ArrowRequest> arrows;
};

/// An episode, first state to last.
struct FilmEpisode {
    std::size_t numFrames = 0;
    SceneSource scene;                         ///< what is seen in a frame, beside the overlay
    std::vector<std::optional<State>> states;  ///< [frames] in the overlay's graph; may be empty
    FilmOverlay overlay;
};

/// The configurations of a walk in a world, one a frame, what each changes marked.
FilmEpisode filmOf(std::shared_ptr<const World> world,
                   std::vector<std::vector<std::uint64_t>> configurations, bool showsGoals = true);

/// Writes an episode, one frame a state. The target is replaced whole or not at all; a folder must
/// be empty or new. Any thread, once a QGuiApplication exists.
/// @return false if stopped; nothing is left behind then
/// @throws Error (BadInput) if the spec makes no sense or the folder holds something, (Resource) if
///         it cannot be written
bool writeFilm(const FilmEpisode& episode, const FilmSpec& spec, const std::stop_token& stop = {},
               const ProgressSink& progress = {});

/// Pixels of a frame, without a colour bar.
QSize filmSize(const FilmEpisode& episode, int cellSize);

}  // namespace orrery
