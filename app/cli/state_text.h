#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/cli/console.h"
#include "core/solve/solution.h"
#include "widgets/common/address.h"

namespace orrery {

/// The state that an address names: by its number or its words; without either the first of its
/// step.
/// @throws Error (BadInput) naming what there is instead
State stateAt(const Solution& solution, const Address& address);

/// Values for machines: V_r, U_r, the robots' actions, and each human's values.
nlohmann::ordered_json valuesJson(const Solution& solution, const StateValues& values);

/// A state with its variables and all its values.
nlohmann::ordered_json stateJson(const Solution& solution, State state);
void printState(const Solution& solution, State state, Console& console);

}  // namespace orrery
