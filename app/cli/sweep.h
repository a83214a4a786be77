#pragma once

#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "core/run/sweep.h"

namespace orrery {

class Workspace;

/// Where the results of a sweep go besides the workspace.
struct SweepOutput {
    std::string csv;  ///< a table of the runs; empty: none
    bool json = false;
};

/// What `--sweep` and `--seeds` were given.
struct SweepInput {
    std::vector<std::string> axes;
    std::string seeds;

    bool isEmpty() const { return axes.empty() && seeds.empty(); }
};

/// @param excludes  an option that cannot be given with them; empty: none
void addSweepOptions(Verb& verb, SweepInput& input, const std::string& excludes = {});

/// Reads it for runs like `base`.
/// @throws Error (BadInput) with every problem
std::vector<SweepAxis> requireSweep(const SweepInput& input, const RunSpec& base);

/// Carries out a run for every combination of values, one after the other, and prints a table.
/// @param workspace  null: nothing is stored
/// @return the status of the first run that failed, kStopped if one was stopped, else 0
int carryOutSweep(const RunSpec& base, const std::vector<SweepAxis>& axes, Workspace* workspace,
                  const SweepOutput& output, VerbContext& context);

}  // namespace orrery
