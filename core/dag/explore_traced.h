#pragma once

#include "core/dag/state_graph.h"

namespace orrery {

class WorkTrace;

/// explore(), and what each thread did when. `progress` is called while no thread is at work, so it
/// may look at the trace.
std::shared_ptr<const StateGraph> exploreTraced(std::shared_ptr<const World> world,
                                                const ExploreOptions& options, WorkTrace& trace,
                                                std::stop_token stop = {},
                                                const ProgressSink& progress = {});

}  // namespace orrery
