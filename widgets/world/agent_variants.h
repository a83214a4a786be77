#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/world/world.h"

namespace orrery {

/// A configuration with one agent elsewhere; direction 0 E, 1 S, 2 W, 3 N, or -1 where agents have
/// none.
struct AgentVariant {
    Configuration configuration;
    int direction = -1;
};

/// The configurations that equal the given one but for the agent's cell (y * width + x) and
/// direction; empty if no agent can be in that cell. They need not be reachable.
std::vector<AgentVariant> agentVariants(const World& world,
                                        std::span<const std::uint64_t> configuration, int agent,
                                        int cell);

}  // namespace orrery
