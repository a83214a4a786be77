#pragma once

#include <memory>

#include "core/grid/grid_spec.h"
#include "core/solve/solution.h"
#include "widgets/bridge/plan_session.h"

namespace orrery::test {

inline LoadedWorld smallLoadedWorld() {
    GridWorldSpec spec;
    spec.map = {"WeWeWeWeWe", "WeAyUn..We", "We....AeWe", "WeWeWeWeWe"};
    spec.maxSteps = 4;
    spec.possibleGoals = {{1, 1, 2, 2, true}, {3, 1, 3, 2, true}};
    LoadedWorld loaded;
    loaded.name = "small";
    loaded.title = QStringLiteral("small");
    loaded.world = makeWorld(spec);
    return loaded;
}

inline std::shared_ptr<const Solution> solved(const LoadedWorld& loaded) {
    SolveSpec spec;
    spec.threads = 1;
    return solve(explore(loaded.world, {}), spec);
}

}  // namespace orrery::test
