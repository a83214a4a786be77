#pragma once

#include <string>
#include <vector>

#include "core/env/environment.h"

namespace orrery {

/// One thing that is observed, in the order of the spaces.
struct ObservedThing {
    std::size_t space = 0;             ///< of the observations
    std::vector<float> features = {};  ///< as the space names them
    bool isHidden = false;             ///< only the value knows of it
};

/// All things, by the indices that offers speak of.
std::vector<ObservedThing> observedThings(const EnvironmentSpaces& spaces, const Observation& seen);

/// "Mine(x=1, y=2)", "Opponent(rock=1) hidden".
std::string textOf(const EnvironmentSpaces& spaces, const ObservedThing& thing);

/// "step=3, x_pos=0" of an array; empty where it has no numbers.
std::string arrayText(const ObservedSpace& space, const ObservedPart& part);

}  // namespace orrery
