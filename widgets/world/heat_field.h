#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "core/dag/state_graph.h"

namespace orrery {

class Solution;

/// A quantity that can be laid over the cells.
enum class HeatQuantity : std::uint8_t {
    GoalAbility,   ///< V_h^e of a human and goal
    GoalPrior,     ///< phase 1's V of a human and goal
    Power,         ///< X_h of a human
    RobotValue,    ///< V_r
    RobotUtility,  ///< U_r
    EarliestStep,  ///< the first step at which the agent can be in the cell
    Visits,        ///< how often the agent was in the cell in the walk
};
inline constexpr int kNumHeatQuantities = 7;

/// "V_h^e", "V_r", "visits", ... for paintSymbol.
const char* symbolOf(HeatQuantity quantity);
/// True for values in [0, 1] by their meaning.
bool isProbability(HeatQuantity quantity);
/// True for whole numbers.
bool isCount(HeatQuantity quantity);

/// Which values are laid over the cells.
struct HeatRequest {
    State state;    ///< the state that is shown; not looked at for EarliestStep
    int agent = 0;  ///< the agent that is moved from cell to cell
    int human = 0;  ///< index into World::goals(), for the quantities of a human
    int goal = 0;   ///< of that human, for those of a goal
    HeatQuantity quantity = HeatQuantity::GoalAbility;
    bool operator==(const HeatRequest&) const = default;
};

/// One cell of a heat field.
struct HeatCell {
    int count = 0;     ///< states averaged over: the directions in which the agent can stand here
    double value = 0;  ///< their mean; meaningless if count is 0
};

/// How the ends of a colour bar were found.
enum class HeatRangeKind : std::uint8_t { Auto, Fixed, Locked };

/// A value as a function of one agent's position: for each cell, the value of the state that equals
/// the shown one but for this agent's cell and direction, where such a state is reachable at the
/// same step.
struct HeatField {
    HeatRequest request;
    int width = 0, height = 0;
    std::vector<HeatCell> cells;  ///< [height * width], row by row
    double low = 0, high = 0;     ///< ends of the colours; equal if there is only one value
    double least = 0, most = 0;   ///< of the known values
    int numKnown = 0;             ///< cells with a value
    HeatRangeKind rangeKind = HeatRangeKind::Auto;
    bool isDiverging = false;  ///< values about a real zero: low is -high

    const HeatCell& at(int x, int y) const {
        return cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x)];
    }
    /// Sets the ends of the colours to the least and the largest known value.
    void fitRange();
};

/// @return null if stopped
/// Only reads the solution; meant for a worker thread: O(cells x directions) queries, for
/// EarliestStep O(configurations). Not for Visits.
std::shared_ptr<const HeatField> computeHeat(const Solution& solution, const HeatRequest& request,
                                             std::stop_token stop = {});

/// The Visits of an agent in a walk of configurations.
std::shared_ptr<const HeatField> countVisits(const World& world,
                                             std::span<const std::span<const std::uint64_t>> walk,
                                             int agent);

}  // namespace orrery
