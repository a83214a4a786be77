#pragma once

#include <memory>

#include "core/encode/state_encoder.h"
#include "core/world/bush_world.h"

namespace orrery {

/// Encodes states of bush worlds: densities in the plane of bushes, agents that face nowhere.
std::unique_ptr<StateEncoder::Family> makeBushEncoder(const BushWorld& world,
                                                      bool hidesWhatIsUnder);

}  // namespace orrery
