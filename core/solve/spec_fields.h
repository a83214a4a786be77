#pragma once

#include "core/solve/spec.h"
#include "core/spec/spec_table.h"

namespace orrery {

using SolveTable = SpecTable<SolveSpec>;

/// The fields of a SolveSpec but for its seed.
const SolveTable& solveSpecFields();

}  // namespace orrery
