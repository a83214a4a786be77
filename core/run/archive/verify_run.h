#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/history/verify.h"
#include "core/history/workspace.h"

namespace orrery {

/// What is wrong with the checkpoints that the history lists for a run: their manifests and every
/// file in them. Empty if all is well.
std::vector<Finding> verifyCheckpoints(const Workspace& workspace, const std::string& runId,
                                       std::stop_token stop = {});

/// What is wrong with one stored run: its lines of verifyWorkspace, a manifest that does not fit
/// its files or the history, a spec or world that cannot be read, and values that do not open.
/// Empty if all is well. Damage is a finding, never an exception.
/// @param run  named as for HistoryReader::findRun
/// @throws Error (BadInput) if there is no such run, (Resource) if the workspace cannot be read
std::vector<Finding> verifyRun(const Workspace& workspace, const std::string& run,
                               std::stop_token stop = {});

}  // namespace orrery
