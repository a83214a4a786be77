#pragma once

#include <string_view>

#include "core/env/catalogue.h"
#include "core/run/run_spec.h"

namespace orrery {

/// The environments that the program knows: those of this tree, in the order in which galleries and
/// help list them.
EnvironmentCatalogue knownEnvironments();

/// A training in one of them, by the settings of specs/entity in the program's data folder that
/// suit it; where there are none, by the defaults.
/// @param optionsJson  of the environment
/// @throws Error (BadInput) if no method learns in it
RunSpec suggestedTraining(std::string_view environment, std::string_view optionsJson);

}  // namespace orrery
