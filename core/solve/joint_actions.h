#pragma once

#include <vector>

#include "core/world/world.h"

namespace orrery {

/// Joint actions of some agents in lexicographic order, the first agent slowest; each lists one
/// action index an agent. Without agents there is one, the empty one.
std::vector<std::vector<int>> jointActions(const World& world, const std::vector<int>& agents);

}  // namespace orrery
