#pragma once

#include <string_view>

#include "core/run/run_kind.h"
#include "core/spec/spec_preset.h"

namespace orrery {

/// A kind's preset.
/// @throws Error (BadInput) with the nearest name, or all of them, if there is none of that name
const SpecPreset& requirePreset(const RunKind& kind, std::string_view name);

/// A spec's fields become the preset's; those that another preset of its kind names become what
/// they are by default. All others stay.
void applyPreset(RunSpec& spec, const SpecPreset& preset);

/// The preset that a spec agrees with in every field that any preset of its kind names; null if
/// there is none.
const SpecPreset* presetOf(const RunSpec& spec);

}  // namespace orrery
