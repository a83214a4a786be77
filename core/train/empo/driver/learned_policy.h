#pragma once

#include <memory>

#include "core/collect/human_prior.h"
#include "core/empo/learner/learner.h"
#include "core/train/empo/driver/acting.h"

namespace orrery {

/// The humans' policies that a run has learned. What stands still may be shared by many.
/// @param layout  of the world in its run
std::unique_ptr<GoalPolicy> makeLearnedPolicy(std::shared_ptr<const HumanValues> humans,
                                              const EmpoSpec& spec, const TrainWorlds& worlds,
                                              std::size_t layout);

}  // namespace orrery
