#pragma once

#include <array>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/dag/state_graph.h"

namespace orrery {

class Solution;

/// Whose policy the arrows show.
struct ArrowRequest {
    State state;    ///< the state that is shown
    int agent = 0;  ///< the agent that is moved from cell to cell
    int goal = -1;  ///< a human's policy for this goal; -1: its mean over the goals' weights
    bool operator==(const ArrowRequest&) const = default;
};

/// The policy of one agent as a function of its position, the rest of the state as shown.
struct ArrowField {
    ArrowRequest request;
    int width = 0, height = 0;
    /// [height * width] probability of moving on towards E, S, W, N: of `forward` while facing
    /// there, or of the move itself in worlds whose actions are compass moves. -1: no such state.
    std::vector<std::array<double, 4>> cells;

    const std::array<double, 4>& at(int x, int y) const {
        return cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x)];
    }
};

/// @return null if stopped
/// Only reads the solution; meant for a worker thread: O(cells x directions) policies.
std::shared_ptr<const ArrowField> computeArrows(const Solution& solution,
                                                const ArrowRequest& request,
                                                std::stop_token stop = {});

}  // namespace orrery
