#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/empo/learner/quantity_values.h"
#include "core/empo/learner/targets.h"
#include "core/replay/replay_buffer.h"

namespace orrery::test {

/// Targets of a batch, computed one by one.
struct NaiveTargets {
    std::vector<double> v_h_e;  ///< [B x H]
    std::vector<double> x_h;    ///< [B x H]
    std::vector<double> u_rY;   ///< [B]
    std::vector<double> q_r;    ///< [B x A]; n-step: 0 but for the taken action
    std::vector<double> v_r;    ///< [B]
};

/// The same targets as computeTargets by plain loops over transitions, actions, human profiles and
/// successors, each value read by itself from the same networks and tables.
/// @param goals  [B x H] the goal of each human, in its own list
NaiveTargets naiveTargets(ReplayBuffer& buffer, std::span<const ReplayBuffer::Slot> slots,
                          std::span<const std::int64_t> goals, const QuantityValues& target,
                          const TargetRequest& request);

/// Where batched and naive targets are further apart than `tolerance` times the greater of 1 and
/// the naive number; also where one of them is not finite.
std::vector<std::string> differences(const NaiveTargets& naive, const Targets& batched,
                                     double tolerance);

}  // namespace orrery::test
