#pragma once

#include <cstdint>
#include <stop_token>

#include "core/dag/big_array.h"
#include "core/dag/state_graph.h"

namespace orrery {

class ThreadTeam;

/// Fills `attained`, [N x H]: one bit mask of attained goals for every configuration and human.
/// @return false if stopped
bool markAttained(const StateGraph& graph, ThreadTeam& team, const std::stop_token& stop,
                  BigArray<std::uint64_t>& attained);

}  // namespace orrery
