#pragma once

#include <span>

#include "core/solve/spec.h"
#include "core/spec/spec_preset.h"
#include "core/spec/spec_table.h"

namespace orrery {

using SolveTable = SpecTable<SolveSpec>;

/// The fields of a SolveSpec but for its seed.
const SolveTable& solveSpecFields();

/// Its named rows of values: "original", which are the defaults, and "sharp".
std::span<const SpecPreset> solvePresets();

}  // namespace orrery
