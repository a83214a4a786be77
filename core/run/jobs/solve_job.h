#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/run/run_fields.h"
#include "core/run/run_spec.h"
#include "core/run/world_ref.h"
#include "core/solve/spec.h"

namespace orrery {

/// Exact planning: a world's state graph and both phases solved on it.
struct SolveJob {
    WorldRef world = {};
    bool unrolled = false;   ///< explore (step, configuration) pairs even if folding is possible
    SolveSpec solve = {};    ///< its seed is that of the run
    bool saveValues = true;  ///< write solution.bin, so that the run can be reopened
    /// Episodes sampled from the solved policies with the run's seed, each with its metrics.
    std::int64_t episodes = 0;
    bool saveGraph = true;  ///< keep the graph in the workspace, for other solves of this world

    bool operator==(const SolveJob&) const = default;
};

/// Fields of SolveJob, those of its SolveSpec included.
std::span<const RunField> solveFields();

/// The spec's solve.
/// @param what  of whom the spec is: "run.json", for the message
/// @throws Error (BadInput) if it is of another kind
const SolveJob& requireSolve(const RunSpec& spec, const std::string& what);

}  // namespace orrery
