#pragma once

#include "core/run/run_kind.h"

namespace orrery {

/// Trainings among things.
const RunKind& entityKind();

// Parts of it.
TrainingDisplay entityDisplay();
std::optional<RunEvaluation> evaluateEntityRun(const RunSpec& spec, const Checkpoint& checkpoint,
                                               const EvaluationWish& wish,
                                               const ProgressSink& progress, std::stop_token stop);

}  // namespace orrery
