#pragma once

#include <span>
#include <vector>

#include "core/solve/solution.h"

namespace orrery {

inline constexpr int kNeverAttained = -1;

/// When each human first attained the goal that it drew: [H] the place in the episode, from 1 on,
/// or kNeverAttained. The first state does not count, as in V_h^e; a human without goals never
/// does.
/// @param episode  as Solution::rollout gives it, not empty
std::vector<int> attainedAt(const Solution& solution, std::span<const RolloutStep> episode);

}  // namespace orrery
