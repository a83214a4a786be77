#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/env/environment.h"

namespace orrery {

/// Reads what an environment in another program sees, by names, into an Observation. Of things:
///
///   {"features": {"Mine": [[0, 2], [1, 1]]}, "ids": {"Mine": ["a", "b"]},
///    "global_features": [0.5], "visible": {"Mine": [true, false]},
///    "actions": {"Move": {"actor_types": ["Robot"], "mask": [[true, false]]},
///                "Fire": {"actor_ids": ["c"], "actee_types": ["Mine"]}}}
///
/// A type that is not named has no things; names of things are any JSON. Who acts is given by ids
/// or by types, in that order; neither: all things. An action of things that is left out has no
/// actors. Where nobody acts nothing is selected. What cannot be read is told, and `out` is then of
/// no use; problemsOf() says what else does not fit.
/// Source: seed 004, "Environment / Observation"; spec entity, section 3.
///
/// @return what is wrong, with the field: "actions.Move.mask: ..."; empty: nothing
std::vector<std::string> readFrame(const EnvironmentSpaces& spaces, const nlohmann::json& frame,
                                   Observation& out);

/// Reads a line that another program wrote. Numbers that are none, which JSON does not know but
/// many programs write (NaN, Infinity, -Infinity), become texts, so that whoever reads on can tell
/// in which field they stand.
/// @return what is wrong; empty: nothing, `out` is an object
std::string readFrameLine(std::string_view line, nlohmann::json& out);

}  // namespace orrery
