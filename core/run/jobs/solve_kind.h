#pragma once

#include "core/run/run_kind.h"

namespace orrery {

/// The entry of SolveJob in the list of kinds.
const RunKind& solveKind();

}  // namespace orrery
