#pragma once

#include "app/selfcheck/oracle_node.h"
#include "app/selfcheck/tally.h"

namespace orrery {

/// The three states that seed 004 prints: their batch, in which order things are, how they are
/// packed, who decides, and what is given back to the environments. Its embeddings are of weights
/// that nobody has; compared is which of them are the same.
void checkEntitySeed(const OracleNode& seed, Tally& tally);

}  // namespace orrery
