#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orrery {

/// What a rollout of many environments over some steps came to, time-major: [steps x environments].
struct RolloutRewards {
    std::int64_t steps = 0, environments = 0;
    std::span<const float> rewards = {};
    std::span<const float> values = {};        ///< of the frame in which was acted
    std::span<const std::uint8_t> dones = {};  ///< the frame is the first of an episode
    std::span<const float> nextValue = {};     ///< [environments] of the frame after the last step
    std::span<const std::uint8_t> nextDone = {};  ///< [environments] it is the first of an episode
    /// [steps x environments] of the last frame of an episode that the step cut off, else 0; empty:
    /// what follows a cut is worth nothing.
    std::span<const float> cutValues = {};
};

struct Advantages {
    std::vector<float> advantages;  ///< [steps x environments]
    std::vector<float> returns;     ///< likewise
};

/// Generalised advantage estimation: delta_t = r_t + gamma V_{t+1} (1 - done_{t+1}) - V_t, summed
/// with weights (gamma lambda)^k to the end of the episode; returns = advantages + values. A step
/// that cuts an episode off gets gamma times the value of its last frame beside its reward.
/// Source: Schulman et al. 2016, equations 11-16; spec entity, section 6.
Advantages generalisedAdvantages(const RolloutRewards& rollout, double gamma, double lambda);

/// Returns as discounted sums to the end of the episode or of the rollout, whose next frame's value
/// stands for the rest; advantages = returns - values.
Advantages discountedAdvantages(const RolloutRewards& rollout, double gamma);

}  // namespace orrery
