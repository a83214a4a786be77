#pragma once

#include <optional>
#include <stop_token>

#include "core/base/progress.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/run/run_evaluation.h"
#include "core/run/run_spec.h"

namespace orrery {

/// Learned planning's: episodes of the learned policy and, where the world is small enough to be
/// solved, the error to the exact solution in every state.
/// @param spec  of a TrainJob
/// @return nothing if stopped
/// @throws Error, (Resource) if the learners' library is missing
std::optional<RunEvaluation> evaluateEmpoRun(const RunSpec& spec, const Checkpoint& checkpoint,
                                             const EvaluationWish& wish,
                                             const ProgressSink& progress, std::stop_token stop);

}  // namespace orrery
