#pragma once

#include "core/base/rng.h"
#include "core/entity/vec_obs.h"

namespace orrery {

/// One choice a decider by chance among what is allowed, each alike; -1 where nothing is.
VecActions drawChoices(const EntityLayout& layout, const VecObs& frames, Rng& rng);

}  // namespace orrery
