#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "tests/support/reference_world.h"

namespace orrery::reference {

/// A small walled grid world made from a seed: objects of all kinds mixed, 2 to 4 agents of several
/// colours, and parameters that are often at their ends (probabilities 0 and 1).
struct RandomWorld {
    std::vector<std::string> map;             ///< two-character cells without blanks
    std::vector<std::string> actionSetNames;  ///< one for all agents, or one per agent
    RefParameters parameters;

    RefWorld world() const { return parseWorld(map, parameters); }
    /// Everything needed to write the world down again: map, action sets and parameters.
    std::string text() const;
};

struct RandomWorldLimits {
    int minAgents = 2;
    int maxAgents = 4;
    int maxInnerWidth = 5;   ///< cells between the walls, at least 2
    int maxInnerHeight = 4;  ///< cells between the walls, at least 2
    int maxSteps = 1000;
};

/// The same seed and limits give the same world on every machine.
RandomWorld randomWorld(std::uint64_t seed, const RandomWorldLimits& limits = {});

/// A state of the world in which everything stands somewhere else than at the start: agents (some
/// of them dead, paused, carrying or under control), blocks, items, doors, walls, bushes and
/// buttons. It keeps what no step can change (how many blocks there are, doors never locked again),
/// but need not be reachable.
RefState scatteredState(const RefWorld& world, Rng& rng);

}  // namespace orrery::reference
