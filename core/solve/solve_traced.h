#pragma once

#include "core/solve/solution.h"

namespace orrery {

class WorkTrace;

/// solve(), and what each thread did when. `hooks.levelDone` is called while no thread is at work,
/// so it may look at the trace.
std::shared_ptr<const Solution> solveTraced(std::shared_ptr<const StateGraph> graph,
                                            const SolveSpec& spec, const SolveHooks& hooks,
                                            std::stop_token stop, SolveStatistics* statistics,
                                            WorkTrace& trace);

}  // namespace orrery
