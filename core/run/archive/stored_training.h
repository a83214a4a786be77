#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/history/records.h"
#include "core/run/run_spec.h"
#include "core/run/snapshot.h"

namespace orrery {

class Workspace;

/// The points of a curve, ascending by step.
struct StoredCurve {
    std::vector<double> step, value;  ///< [points]
};

/// A training of the history, as it ended.
struct StoredTraining {
    RunSpec spec = {};                            ///< as it was started
    std::shared_ptr<const RunSnapshot> snapshot;  ///< how it ended
    std::map<std::string, StoredCurve> curves;    ///< without what was superseded
    std::map<std::string, StoredCurve> history;   ///< of its parent, see historyOf()
    std::vector<EventRow> events;
    std::vector<CheckpointRow> checkpoints;  ///< that are there, oldest first
};

/// Reads a run's spec, curves, changes (refused ones too) and checkpoints. Slow: for a worker.
/// @throws Error (BadInput) if there is no such run or it is no training, (Damaged)
StoredTraining readStoredTraining(const Workspace& workspace, const std::string& runId,
                                  const std::stop_token& stop);

/// The curves of the run that a training was forked from, up to the checkpoint that it began with,
/// with what that one had of its own parent. None of a run that is no fork. Slow: for a worker.
/// @param spec  of a training
std::map<std::string, StoredCurve> historyOf(const Workspace& workspace, const RunSpec& spec);

/// Takes away the points of a curve behind a step.
void cutAfter(StoredCurve& curve, double step);

/// A stored training that another one shall begin with.
struct ForkParent {
    std::string id = {};                         ///< empty: none, the run is one of its own
    RunSpec spec = {};                           ///< as it was started, with its recorded changes
    std::vector<std::int64_t> checkpoints = {};  ///< steps, the newest first
};

/// Reads what a fork of a training needs. Slow: for a worker.
/// @throws Error as readStoredTraining
ForkParent forkParentOf(const Workspace& workspace, const std::string& runId);

}  // namespace orrery
