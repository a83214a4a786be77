#pragma once

#include "core/empo/spec_fields.h"
#include "core/spec/field_parts.h"

namespace orrery {

/// The parts of empoFields() that lie in a file of their own, in its order: of steps, acting,
/// collectors, and of the machine and what is recorded.
void addSteps(EmpoTable& table);
void addActing(EmpoTable& table);
void addCollectors(EmpoTable& table);
void addRecords(EmpoTable& table);

}  // namespace orrery
