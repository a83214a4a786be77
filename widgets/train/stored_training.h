#pragma once

#include <QString>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/history/records.h"
#include "core/run/archive/stored_training.h"
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
    std::map<QString, TrainCurve> history;  ///< of its parent, see historyOf()
    std::vector<ChartEvent> marks;          ///< skipped steps, then checkpoints, removed ones too
};

/// The same of readStoredTraining. Slow: for a worker.
/// @throws Error as it
ArchivedTraining readArchivedTraining(const Workspace& workspace, const std::string& runId,
                                      const std::stop_token& stop);

/// Curves as the window names them.
std::map<QString, TrainCurve> shownCurves(std::map<std::string, StoredCurve> curves);

/// The marks that a run's events tell of: skipped steps and checkpoints. What was done after the
/// checkpoint that the run was resumed from later is void and is left out.
/// @param kept  checkpoints that are there; others are marked as removed
std::vector<ChartEvent> marksIn(std::span<const EventRow> events,
                                std::span<const CheckpointRow> kept);

/// The mark of a step that was skipped because of NaN.
/// @param text  the message of that
ChartEvent skippedMark(std::int64_t step, const QString& text);

/// The mark of a checkpoint.
ChartEvent savedMark(std::int64_t step);

}  // namespace orrery
