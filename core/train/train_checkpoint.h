#pragma once

#include <cstdint>
#include <string>

#include "core/checkpoint/checkpoint_folder.h"
#include "core/checkpoint/tensor_map.h"

// What checkpoints of all methods have in common.

namespace orrery {

/// The best value so far, the least or the most, of the metric that a stop condition looks at.
struct ExtremeValue {
    std::string metric = {};  ///< empty: none had a point yet
    double value = 0;
    std::int64_t step = 0;
};

/// Small things of a checkpoint: the trainer's beside those of the method.
TensorMap progressIn(const Checkpoint& checkpoint);
void putExtremeValue(TensorMap& progress, const ExtremeValue& extreme);
/// Nothing in checkpoints of trainings that watched no metric.
ExtremeValue extremeValueIn(const TensorMap& progress);
/// Of training, before the checkpoint.
double secondsIn(const Checkpoint& checkpoint);

/// Finishes a checkpoint whose writer has the spec and the method's files.
SavedCheckpoint commitCheckpoint(CheckpointWriter& writer, const std::string& specJson,
                                 const TensorMap& progress, double seconds);

/// So that a checkpoint which is no use never takes the place of a good one.
/// @throws Error (Diverged) if a single-precision number is not finite
void requireFinite(const TensorMap& tensors, std::int64_t step);

}  // namespace orrery
