#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/collect/visit_counts.h"
#include "core/empo/learner/learner.h"
#include "core/replay/replay_buffer.h"
#include "core/train/driver/acting.h"
#include "core/train/driver/exact_error.h"
#include "core/train/train.h"

namespace orrery {

/// The least value so far of the metric that a stop condition looks at.
struct LeastValue {
    std::string metric = {};  ///< empty: none had a point yet
    double value = 0;
    std::int64_t step = 0;
};

/// Everything that a training holds beside its collectors: what a checkpoint keeps. One thread.
struct Training {
    Training(const EmpoSpec& spec, TrainWorlds trainWorlds);

    /// Once the learner has the humans' policies: nothing of what was collected by others stays.
    void takeHumans();
    /// Puts a transition into the buffer and counts it.
    void take(const Transition& transition);

    EmpoSpec spec;  ///< with the changes made so far
    TrainWorlds worlds;
    Learner learner;
    ReplayBuffer buffer;
    VisitCounts visits;  ///< states that transitions started from
    std::int64_t environmentSteps = 0, episodes = 0;
    double seconds = 0;  ///< trained before this process took over
    LeastValue least = {};
};

/// Writes a checkpoint of the training and of its collectors (their saved bytes).
/// @throws DiskFullError, Error (Resource)
TrainCheckpoint saveTraining(const Training& training,
                             const std::vector<std::vector<std::byte>>& collectors,
                             const TrainRequest& request, double seconds);

/// Continues what a checkpoint says of the learner; the rest of it is not read.
/// @throws Error (Damaged)
void loadLearner(const std::filesystem::path& checkpoint, Learner& learner);

/// Continues a checkpoint.
/// @param collectors  receives the saved bytes of each
/// @throws Error (Damaged)
void loadTraining(const std::filesystem::path& checkpoint, Training& training,
                  std::vector<std::vector<std::byte>>& collectors);

}  // namespace orrery
