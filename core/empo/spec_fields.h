#pragma once

#include "core/empo/spec.h"
#include "core/spec/spec_table.h"

namespace orrery {

using EmpoTable = SpecTable<EmpoSpec>;

/// The fields of an EmpoSpec but for its seed. Names are the seeds' where they have one.
const EmpoTable& empoFields();

/// The names of those that may be changed while a run trains, in that order.
const std::vector<std::string>& liveFields();

}  // namespace orrery
