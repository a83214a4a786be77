#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/encode/compact_state.h"
#include "core/replay/world_facts.h"
#include "core/world/world.h"

namespace orrery {

/// What a learner knows of a world.
/// @param shape  of its encoded states; the world must fit into it
/// @throws Error (BadInput) if it cannot be learned on: no human, more than kMaxLearnedHumans, no
///         robot, a human without goals, or more than 2^32 - 1 joint actions
WorldFacts factsOf(const World& world, const EncodingShape& shape);

/// The facts of all worlds of one run, in their order, with one shape for all.
/// @throws Error (BadInput) as factsOf, without a world, or if they differ in the number of humans
///         or in the actions of a human or of the robots, which a run's values are laid out for
std::vector<WorldFacts> factsOf(std::span<const std::shared_ptr<const World>> worlds,
                                EncodingRules rules = EncodingRules::Whole);

/// The world's joint action of a human profile and a robot action; agents that are neither take
/// their first action, as in an exact solve of the robot's policy.
ActionProfileIndex worldProfile(const World& world, const WorldFacts& facts, int humanProfile,
                                int robotAction);

}  // namespace orrery
