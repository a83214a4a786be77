#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/cli/spec_options.h"
#include "app/cli/verb.h"
#include "core/solve/solution.h"

namespace orrery {

/// How a command line names something solved: a stored run, or a world to solve now.
struct SolvedChoice {
    std::string target;     ///< id, number or name of a run, or a world
    std::string workspace;  ///< of runs
    FieldOptions fields;    ///< parameters for a world
};

/// The positional RUN, `--workspace` and the fields of a solve.
void addSolvedOptions(Verb& verb, SolvedChoice& choice);

/// A solution ready for queries. The seed of its spec is the run's, or the world's.
struct Solved {
    std::string name;  ///< "r00012" or the world's
    std::shared_ptr<const Solution> solution;
};

/// Reopens the run or solves the world, without storing anything.
/// @param status receives kStopped, or 2 if the world file has errors (which are printed)
/// @return nothing then
/// @throws Error as reopenSolution and solve
std::optional<Solved> obtainSolution(const SolvedChoice& choice, VerbContext& context, int& status);

/// The parameters that a solve in this process takes: threads filled in.
SolveSpec effectiveSolveSpec(const RunSpec& spec);

}  // namespace orrery
