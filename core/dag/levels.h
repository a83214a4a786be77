#pragma once

#include <stop_token>

#include "core/base/thread_team.h"
#include "core/dag/state_graph.h"

namespace orrery {

/// Fills isRange and member of a graph whose rows and layers are complete: the configurations that
/// can be reached in exactly t steps. In an unrolled graph, and wherever every configuration can
/// stay as it is, these are whole ranges. O(entries), and once more a step where they are not.
/// @return false if stopped
bool findLevels(StateGraph::Storage& storage, ThreadTeam& team, const std::stop_token& stop);

}  // namespace orrery
