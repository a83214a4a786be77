#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/empo/spec.h"
#include "core/solve/solution.h"

namespace orrery {

/// The parameters of an exact solve that says what a training with this spec should come to.
SolveSpec exactSpecOf(const EmpoSpec& spec);

/// A world's exact solution, if it has at most so many states.
struct ExactSolution {
    std::shared_ptr<const Solution> solution;  ///< null: there is none
    std::string whyNot;                        ///< in one line; empty if stopped
};

/// Explores and solves a world for the learner. The outcome depends on the world and the limit
/// alone, never on time or memory that other programs leave.
/// @param maxStates  0: not at all
ExactSolution exactSolutionOf(std::shared_ptr<const World> world, const EmpoSpec& spec,
                              std::int64_t maxStates, const std::stop_token& stop,
                              const ProgressSink& progress);

/// The same world solved for a spec that was changed since; its graph serves again.
ExactSolution solvedAgain(const Solution& former, const EmpoSpec& spec, const std::stop_token& stop,
                          const ProgressSink& progress);

}  // namespace orrery
