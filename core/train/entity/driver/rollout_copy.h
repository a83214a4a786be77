#pragma once

#include <memory>

#include "core/train/entity/driver/ppo_update.h"
#include "core/train/entity/driver/rollout.h"
#include "core/train/rollout_desk.h"

namespace orrery {

/// What stands at the end of a rollout.
struct RolloutEnd {
    const std::vector<std::uint8_t>& done;       ///< [environments] of the frame behind the last
    const std::vector<std::uint8_t>& truncated;  ///< likewise
    bool isLearned = false;                      ///< as of RolloutCopy
};

/// Copies all of a rollout.
/// @param record  what an update found out about its frames; may be empty
std::shared_ptr<const RolloutCopy> copyOf(const Rollout& rollout, const EntityLayout& layout,
                                          const EnvironmentSpaces& spaces,
                                          const PpoUpdate::Record& record, const RolloutEnd& end,
                                          std::int64_t trainStep);

}  // namespace orrery
