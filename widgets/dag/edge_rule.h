#pragma once

#include <memory>

#include "core/dag/neighbours.h"

namespace orrery {

class Solution;

/// Which edges leave a state, and how probable they are.
enum class EdgeRule {
    JointAction,  ///< of the joint action that is chosen
    Policies,     ///< of the robot's policy and the humans' goal-marginal policies
    AnyAction,    ///< of all joint actions, equally likely
};

/// The edges of a solution's graph. Policies need both phases; without them AnyAction is given. The
/// result keeps the solution alive.
EdgesOf edgesOf(const std::shared_ptr<const Solution>& solution, EdgeRule rule,
                ActionProfileIndex profile);

}  // namespace orrery
