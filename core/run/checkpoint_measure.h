#pragma once

namespace orrery {

/// How good a checkpoint is by the run's curves at its step.
struct CheckpointMeasure {
    /// What it is measured by: more is better, whatever the value. For learned planning the error
    /// to exact counts more than losses, and more losses more than fewer, as in a warm-up.
    int rank = 0;
    double power = 0;  ///< beta_r in force: losses of different ones do not compare, more is better
    double value = 0;  ///< less is better

    bool isBetterThan(const CheckpointMeasure& other) const;
};

}  // namespace orrery
