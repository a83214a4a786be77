#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <stop_token>

#include "core/base/progress.h"
#include "core/history/workspace.h"
#include "core/solve/solution.h"
#include "core/world/world.h"

namespace orrery {

/// Worlds with at most so many states are offered to be solved.
inline constexpr std::int64_t kMostSolvedStates = 2'000'000;

/// The newest finished solve of the workspace with this world and these parameters whose values can
/// be opened. How it was computed (threads, memory, seed) does not matter, nor whether it set a
/// floor for X_h that the world does not need; values in half precision do not count as exact.
/// @return null if there is none, or if stopped
std::shared_ptr<const Solution> storedSolution(const Workspace& workspace, const World& world,
                                               const SolveSpec& wanted, const std::stop_token& stop,
                                               const ProgressSink& progress);

/// Whether a world may be solved here, by a short exploration.
struct SolveOffer {
    bool fits = false;
    QString text;  ///< in one line: about how large it is and how much memory is free
};

/// Up to some 2 s. States of a world that is not explored to its end are estimated as if what was
/// found stayed reachable until the last step.
SolveOffer solveOffer(const std::shared_ptr<const World>& world, const std::stop_token& stop);

}  // namespace orrery
