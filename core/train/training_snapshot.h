#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "core/trace/stage_spans.h"
#include "core/train/desk.h"

namespace orrery {

/// A training at one moment: what there is of every method. Methods derive theirs from it.
/// Immutable once made; anyone may keep it.
struct TrainingSnapshot {
    TrainingSnapshot() = default;
    TrainingSnapshot(const TrainingSnapshot&) = default;
    TrainingSnapshot& operator=(const TrainingSnapshot&) = default;
    virtual ~TrainingSnapshot() = default;

    std::int64_t step = 0;              ///< training steps done
    std::int64_t totalSteps = 0;        ///< after which it ends by itself
    double seconds = 0;                 ///< of training, pauses not counted
    double secondsHere = 0;             ///< of them since this process took over, > 0
    double stepsPerSecond = 0;          ///< in these
    std::int64_t metricInterval = 100;  ///< steps between two points of curves
    double checkpointSeconds = 0;       ///< between two, as is in force; 0: made by steps alone
    std::shared_ptr<Desk> desk = {};    ///< null: it cannot be asked for anything
    std::shared_ptr<const SpanTimeline> timeline = {};  ///< what threads did when; null: not known

    /// Where its memory is, bytes by names of the method's own.
    virtual std::map<std::string, std::int64_t> memoryByName() const { return {}; }
};

}  // namespace orrery
