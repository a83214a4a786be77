#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/progress.h"
#include "core/history/workspace.h"
#include "core/run/run_spec.h"
#include "core/solve/solution.h"

namespace orrery {

/// A stored solve as it was: world, graph and values.
struct ReopenedSolve {
    RunRecord record;
    RunSpec spec;
    std::shared_ptr<const World> world;
    std::shared_ptr<const StateGraph> graph;
    std::shared_ptr<const Solution> solution;
};

/// Brings a finished solve back: maps its values and the kept graph, or explores the graph again.
/// @param run  an id, a number or a unique name, as HistoryReader::findRun
/// @return nothing if stopped
/// @throws Error (BadInput) if the run is unknown or kept no values, (Damaged) if a file does not
///         match its recorded hash
std::optional<ReopenedSolve> reopenSolution(const Workspace& workspace, const std::string& run,
                                            std::stop_token stop = {},
                                            const ProgressSink& progress = {});

}  // namespace orrery
