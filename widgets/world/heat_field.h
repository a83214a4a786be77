#pragma once

#include <array>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/dag/state_graph.h"

namespace orrery {

class Solution;

/// Which quantity is laid over the cells.
struct HeatRequest {
    State state;    ///< the state that is shown
    int agent = 0;  ///< the agent that is moved from cell to cell
    /// V_h^e of this human (index into World::goals()) and goal; human -1: V_r.
    int human = -1;
    int goal = -1;
    bool withArrows = true;  ///< also the policy of the moved agent (costs a query a cell)
    bool operator==(const HeatRequest&) const = default;
};

/// One cell of a heat field.
struct HeatCell {
    int count = 0;     ///< states averaged over: the directions in which the agent can stand here
    double value = 0;  ///< their mean; meaningless if count is 0
    /// Probability of moving on towards E, S, W, N: of `forward` while facing there, or of the move
    /// itself in worlds whose actions are compass moves. -1: no such state.
    std::array<double, 4> move = {-1, -1, -1, -1};
};

/// A value as a function of one agent's position: for each cell, the value of the state that equals
/// the shown one but for this agent's cell and direction, where such a state is reachable at the
/// same step.
struct HeatField {
    HeatRequest request;
    int width = 0, height = 0;
    std::vector<HeatCell> cells;  ///< [height * width], row by row
    double low = 0, high = 0;     ///< of the known values; equal if there is only one
    int numKnown = 0;             ///< cells with a value

    const HeatCell& at(int x, int y) const {
        return cells[static_cast<std::size_t>(y * width + x)];
    }
};

/// @return null if stopped
/// Only reads the solution; meant for a worker thread: O(cells x directions) queries.
std::shared_ptr<const HeatField> computeHeat(const Solution& solution, const HeatRequest& request,
                                             std::stop_token stop = {});

}  // namespace orrery
