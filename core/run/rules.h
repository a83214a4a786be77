#pragma once

#include <string>
#include <vector>

#include "core/solve/spec.h"

namespace orrery {

/// The lists of a SolveSpec as JSON, as they stand in a spec file; members that are at their
/// default are left out. spec_reader.cpp reads them back.
std::string rulesJson(const std::vector<BelievedOthersRule>& rules);
std::string rulesJson(const std::vector<HabitRule>& rules);

}  // namespace orrery
