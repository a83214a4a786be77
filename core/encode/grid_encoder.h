#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/encode/state_encoder.h"
#include "core/world/grid_world.h"

namespace orrery {

/// Encodes states of grid worlds.
std::unique_ptr<StateEncoder::Family> makeGridEncoder(const GridWorld& world,
                                                      bool hidesWhatIsUnder);

/// Adds to a shape what makes encoded states of the world whole.
void addGridNeeds(const GridWorld& world, EncodingShape& shape);

/// As notEncoded() of state_encoder.h.
std::vector<std::string> notEncodedOf(const GridWorld& world);

}  // namespace orrery
