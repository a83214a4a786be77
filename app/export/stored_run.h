#pragma once

#include <string>

#include "core/history/workspace.h"

namespace orrery {

/// How a run's state is called in tables and documents; "unknown" for one of a newer program.
std::string stateText(const RunRecord& record);

/// @param advice  what a solve is instead, and what to do: "its values are exact. ..."
/// @throws Error (BadInput) with it if the run is no training
void requireTraining(const Workspace& workspace, const std::string& run, const std::string& advice);

}  // namespace orrery
