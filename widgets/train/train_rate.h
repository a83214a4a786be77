#pragma once

#include <QString>
#include <optional>
#include <stop_token>

#include "core/run/run_spec.h"

namespace orrery {

class Workspace;

/// How fast a stored training went, as a measure for one of its kind.
struct MeasuredRate {
    double stepsPerSecond = 0;  ///< > 0, training steps, the mean of the run
    QString run = {};           ///< its title
};

/// Names what a training's speed depends on most: of learned planning world, approximators and
/// threads. Trainings that are alike have the same; empty if it is no training.
QString trainingKind(const RunSpec& spec);

/// Of the newest run of that kind that told its speed. Slow: for a worker.
std::optional<MeasuredRate> measuredRate(const Workspace& workspace, const QString& kind,
                                         const std::stop_token& stop);

}  // namespace orrery
