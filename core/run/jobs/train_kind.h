#pragma once

#include "core/run/run_kind.h"

namespace orrery {

/// The entry of TrainJob in the list of kinds.
const RunKind& trainKind();

}  // namespace orrery
