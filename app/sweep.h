#pragma once

#include <string>
#include <vector>

#include "app/verb.h"
#include "core/run/sweep.h"

namespace orrery {

class Workspace;

/// Where the results of a sweep go besides the workspace.
struct SweepOutput {
    std::string csv;  ///< a table of the runs; empty: none
    bool json = false;
};

/// Reads the values of `--sweep`.
/// @throws Error (BadInput) with every problem
std::vector<SweepAxis> requireSweep(const std::vector<std::string>& texts);

/// Carries out a run for every combination of values, one after the other, and prints a table.
/// @param workspace  null: nothing is stored
/// @return the status of the first run that failed, kStopped if one was stopped, else 0
int carryOutSweep(const RunSpec& base, const std::vector<SweepAxis>& axes, Workspace* workspace,
                  const SweepOutput& output, VerbContext& context);

}  // namespace orrery
