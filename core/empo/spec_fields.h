#pragma once

#include <span>

#include "core/empo/spec.h"
#include "core/spec/spec_preset.h"
#include "core/spec/spec_table.h"

namespace orrery {

using EmpoTable = SpecTable<EmpoSpec>;

/// The fields of an EmpoSpec but for its seed. Names are the seeds' where they have one.
const EmpoTable& empoFields();

/// Its named rows of values: "networks", which are the defaults, "tables", "exact-tables".
std::span<const SpecPreset> empoPresets();

}  // namespace orrery
