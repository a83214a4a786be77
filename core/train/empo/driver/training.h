#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/checkpoint/checkpoint_folder.h"
#include "core/checkpoint/tensor_map.h"
#include "core/collect/visit_counts.h"
#include "core/empo/learner/learner.h"
#include "core/replay/replay_buffer.h"
#include "core/train/empo/driver/acting.h"
#include "core/train/empo/driver/exact_error.h"

namespace orrery {

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
};

/// Writes a training's files, and what it counts and its collectors' saved bytes into `progress`.
/// @throws DiskFullError, Error (Resource), (Diverged) numbers that are not finite
void saveTraining(const Training& training, const std::vector<std::vector<std::byte>>& collectors,
                  CheckpointWriter& writer, TensorMap& progress);

/// Continues what a checkpoint says of the learner; the rest of it is not read.
/// @throws Error (Damaged)
void loadLearner(const Checkpoint& checkpoint, Learner& learner);

/// Continues a checkpoint.
/// @param collectors  receives the saved bytes of each
/// @throws Error (Damaged)
void loadTraining(const Checkpoint& checkpoint, const TensorMap& progress, Training& training,
                  std::vector<std::vector<std::byte>>& collectors);

}  // namespace orrery
