#pragma once

#include <QString>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/solve/solution.h"

namespace orrery {

class PlanSession;

/// Who did what in the step that led to a moment of the walk, short: "A fwd", "A fwd, R left";
/// "all stay" if everyone rested. Empty for the first moment.
QString deedText(const PlanSession& session, std::size_t moment);

/// The states that follow one most probably if all keep to their policies, the first one left out.
/// At most `numSteps`; null if stopped.
/// Only reads the solution; meant for a worker thread.
std::shared_ptr<const std::vector<State>> likelyFuture(const Solution& solution, State from,
                                                       int numSteps, std::stop_token stop);

}  // namespace orrery
