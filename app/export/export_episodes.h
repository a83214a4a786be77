#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <stop_token>
#include <vector>

#include "app/export/export_table.h"
#include "core/base/progress.h"
#include "core/solve/solution.h"

namespace orrery {

/// The states of an episode, first to last, with the joint action taken in each.
struct Episode {
    struct Moment {
        int step = 0;
        std::int64_t config = -1;  ///< in the graph; -1: there is none
        std::vector<std::uint64_t> words;
        std::int64_t profile = -1;                              ///< -1 in the last state
        double v_r = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not solved
    };
    std::vector<int> goals;  ///< [H] that the humans pursue; -1: not known
    std::vector<Moment> moments;
};

/// Makes the k-th episode, from 0.
using EpisodeSource = std::function<Episode(std::int64_t number)>;

/// Episode `number` of a seed under the solved policies, as `orrery rollout` draws it.
Episode sampledEpisode(const Solution& solution, std::uint64_t seed, std::int64_t number);

/// Writes episodes into one file, a row a state: episode, step, configuration, the world's
/// variables, the joint action (its index, and in text formats its words; none in the last state),
/// V_r and the goal of each human. What is not known is empty, null, NaN or -1. Written as
/// writeOutput.
/// @return false if stopped
/// @throws Error (Resource) if the file cannot be written
bool exportEpisodes(const World& world, std::int64_t count, const EpisodeSource& source,
                    ExportFormat format, const std::filesystem::path& file,
                    const std::stop_token& stop = {}, const ProgressSink& progress = {});

}  // namespace orrery
