#pragma once

#include "app/selfcheck/oracle_node.h"
#include "app/selfcheck/tally.h"

namespace orrery {

/// Makes one batch of stored observations and compares it. Where the original leaves out rows of
/// what nothing was said about, all must be true: `visible` behind the last frame that gives it,
/// and masks of frames before the first one.
void checkEntityBatch(const OracleNode& batch, Tally& tally);

/// Acts in a list of scripted environments and compares frames and what they tell; the original
/// takes a reset for a step of each first episode, which is added to ours.
void checkEntityScript(const OracleNode& script, Tally& tally);

}  // namespace orrery
