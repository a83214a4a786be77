#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/empo/spec_fields.h"
#include "core/spec/field_parts.h"

namespace orrery {

inline constexpr const char* kOwnCounts = "an adaptive table goes by its own counts";

/// The field that says what a quantity is represented by: "q_r_kind".
std::string kindField(Quantity quantity);

/// That one of the quantities is of a kind.
std::vector<FieldTest> anyIs(std::span<const Quantity> quantities, const char* kind);

/// The parts of empoFields() that lie in a file of their own, in its order: of steps, acting,
/// collectors, and of the machine and what is recorded.
void addSteps(EmpoTable& table);
void addActing(EmpoTable& table);
void addCollectors(EmpoTable& table);
void addRecords(EmpoTable& table);

}  // namespace orrery
