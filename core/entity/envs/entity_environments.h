#pragma once

#include "core/env/catalogue.h"

namespace orrery {

/// The environments of the entity stack: entity-gym's, its tutorial's and CartPole. All take
/// "original", whether or not the original's rules differ.
EnvironmentCatalogue entityEnvironments();

}  // namespace orrery
