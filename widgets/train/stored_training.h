#pragma once

#include <QString>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "core/run/run_spec.h"
#include "core/run/snapshot.h"
#include "widgets/train/train_session.h"

namespace orrery {

class Workspace;

/// A training of the history as TrainSession shows one.
struct ArchivedTraining {
    RunSpec spec;
    std::shared_ptr<const RunSnapshot> snapshot;  ///< how it ended
    std::map<QString, TrainCurve> curves;
};

/// Reads a run's spec, curves, changes and checkpoints. Slow: for a worker.
/// @throws Error (BadInput) if there is no such run or it is no training, (Damaged)
ArchivedTraining readArchivedTraining(const Workspace& workspace, const std::string& runId,
                                      const std::stop_token& stop);

}  // namespace orrery
