#pragma once

#include <vector>

#include "core/world/world.h"

namespace orrery {

/// Agents as encodings list them: by the names of their colours, then by index.
std::vector<int> encodedAgentOrder(const World& world);

}  // namespace orrery
