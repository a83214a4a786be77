#pragma once

#include "app/selfcheck/oracle_node.h"
#include "app/selfcheck/tally.h"

namespace orrery {

/// Runs a stored program over named ragged buffers step by step and compares what each step gives.
/// A step has "op", its arguments, "dst" for the name that its result gets, and "expect".
void checkRaggedProgram(const OracleNode& steps, Tally& tally);

}  // namespace orrery
