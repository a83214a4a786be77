#pragma once

#include <QString>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/history/records.h"
#include "core/run/run_spec.h"
#include "core/run/snapshot.h"
#include "core/run/train_job.h"
#include "widgets/train/train_session.h"

namespace orrery {

class Workspace;

/// A training of the history as TrainSession shows one.
struct ArchivedTraining {
    RunSpec spec;
    std::shared_ptr<const RunSnapshot> snapshot;  ///< how it ended
    std::map<QString, TrainCurve> curves;
    std::map<QString, TrainCurve> history;  ///< of its parent, see historyOf()
    std::vector<ChartEvent> marks;          ///< skipped steps, then checkpoints, removed ones too
};

/// Reads a run's spec, curves, changes (refused ones too), marks and checkpoints. Slow: for a
/// worker.
/// @throws Error (BadInput) if there is no such run or it is no training, (Damaged)
ArchivedTraining readArchivedTraining(const Workspace& workspace, const std::string& runId,
                                      const std::stop_token& stop);

/// A stored training that another one shall begin with.
struct ForkParent {
    QString id = {};                             ///< empty: none, the run is one of its own
    RunSpec spec = {};                           ///< as it was started, with its recorded changes
    std::vector<std::int64_t> checkpoints = {};  ///< steps, the newest first
};

/// The curves of the run that a training was forked from, up to the checkpoint that it began with,
/// with what that one had of its own parent. None of a run that is no fork. Slow: for a worker.
std::map<QString, TrainCurve> historyOf(const Workspace& workspace, const TrainJob& job);

/// Takes away the points of a curve behind a step.
void cutAfter(TrainCurve& curve, double step);

/// Reads what a fork of a training needs. Slow: for a worker.
/// @throws Error as readArchivedTraining
ForkParent forkParentOf(const Workspace& workspace, const std::string& runId);

/// The marks that a run's events tell of: skipped steps and checkpoints. What was done after the
/// checkpoint that the run was gone on from later is void and is left out.
/// @param kept  checkpoints that are there; others are marked as removed
std::vector<ChartEvent> marksIn(std::span<const EventRow> events,
                                std::span<const CheckpointRow> kept);

/// The mark of a step that was skipped because of NaN.
/// @param text  the message of that
ChartEvent skippedMark(std::int64_t step, const QString& text);

/// The mark of a checkpoint.
ChartEvent savedMark(std::int64_t step);

}  // namespace orrery
