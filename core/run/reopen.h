#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

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

/// The spec of a stored run, with the world text that the run used (later edits of the world file
/// do not matter).
/// @throws Error (BadInput) if there is no such run, (Damaged) if its files are
RunSpec storedSpec(const Workspace& workspace, const std::string& run);

/// The same of a training as a checkpoint of it was learned: with the parameters that were in force
/// after the changes up to this step, whether its spec lists them or it was steered. `changes`
/// keeps what the spec lists for later, and for actors. Whoever opens a checkpoint takes this spec.
/// @throws Error as storedSpec
RunSpec storedSpecAt(const Workspace& workspace, const std::string& run, std::int64_t step);

/// The spec that repeats a stored training as it was steered: each applied change is listed with
/// its step. A synchronous training comes out the same, bit for bit.
/// @throws Error as storedSpec
RunSpec repeatedSpec(const Workspace& workspace, const std::string& run);

/// Brings a finished solve back: maps its values and the kept graph, or explores the graph again.
/// @param run  an id, a number or a unique name, as HistoryReader::findRun
/// @return nothing if stopped
/// @throws Error (BadInput) if the run is unknown or kept no values, (Damaged) if a file does not
///         match its recorded hash
std::optional<ReopenedSolve> reopenSolution(const Workspace& workspace, const std::string& run,
                                            std::stop_token stop = {},
                                            const ProgressSink& progress = {});

/// Where the graph of a world is kept in a workspace.
std::filesystem::path graphFile(const std::filesystem::path& workspaceFolder, const World& world,
                                bool unrolled);

/// Removes kept graphs, the least recently used first, until the rest takes at most `bytes`.
/// @return how many were removed
int trimGraphs(const std::filesystem::path& workspaceFolder, std::int64_t bytes);

}  // namespace orrery
