#pragma once

#include "core/run/run_kind.h"

namespace orrery {

/// The entry of TrainJob in the list of kinds.
const RunKind& trainKind();

/// Whether a stored run is of that kind: it has a replay buffer and values of its worlds' states.
bool learnsPlanning(const RunRecord& run);

}  // namespace orrery
