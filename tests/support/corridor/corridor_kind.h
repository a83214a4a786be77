#pragma once

#include "core/run/run_kind.h"

namespace orrery::test {

/// Trainings by CorridorMethod: "corridor" in specs and histories.
const RunKind& corridorKind();

}  // namespace orrery::test
