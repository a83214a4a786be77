#pragma once

#include <nlohmann/json.hpp>

#include <vector>

#include "core/solve/spec.h"

namespace orrery {

/// The lists of a SolveSpec as they stand in a spec file; members that are at their default are
/// left out. spec_reader.cpp reads them back.
nlohmann::ordered_json rulesJson(const std::vector<BelievedOthersRule>& rules);
nlohmann::ordered_json rulesJson(const std::vector<HabitRule>& rules);

}  // namespace orrery
