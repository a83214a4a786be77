#pragma once

#include <memory>

#include "core/solve/solution.h"
#include "widgets/bridge/world_loader.h"

namespace orrery::test {

/// The world's exact solution, by two threads.
inline std::shared_ptr<const Solution> solved(const LoadedWorld& loaded, SolveSpec spec = {}) {
    spec.threads = 2;
    return solve(explore(loaded.world, {.threads = 2}), spec);
}

}  // namespace orrery::test
