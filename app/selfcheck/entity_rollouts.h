#pragma once

#include "app/selfcheck/oracle_node.h"
#include "app/selfcheck/tally.h"

namespace orrery {

/// Plays a stored episode of one of the entity stack's environments by the original's rules and
/// compares spaces, observations, rewards, ends and states step by step. Who moves in FloorIsLava
/// is compared with the player: the original names another thing.
void checkEntityRollout(const OracleNode& rollout, Tally& tally);

}  // namespace orrery
