#pragma once

#include <memory>

#include "core/encode/state_encoder.h"
#include "core/world/grid_world.h"

namespace orrery {

/// Encodes states of grid worlds.
std::unique_ptr<StateEncoder::Family> makeGridEncoder(const GridWorld& world,
                                                      bool hidesWhatIsUnder);

}  // namespace orrery
