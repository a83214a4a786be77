#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <variant>
#include <vector>

#include "core/solve/value_of.h"

namespace orrery {

/// Whole numbers about an agent in a cell, which are no values of states.
enum class CellCount : std::uint8_t {
    EarliestStep,  ///< the first step at which the agent can be in the cell
    Visits,        ///< how often the agent was in the cell in the walk
};

/// What can be laid over the cells.
using HeatQuantity = std::variant<ValueKind, CellCount>;
inline constexpr HeatQuantity kEarliestHeat = CellCount::EarliestStep,
                              kVisitHeat = CellCount::Visits;
inline constexpr std::array<HeatQuantity, 7> kHeatQuantities = {
    ValueKind::V_h_e, ValueKind::V_h, ValueKind::X_h, ValueKind::V_r,
    ValueKind::U_r,   kEarliestHeat,  kVisitHeat};

/// "V_h^e", "V_r", "visits", ... for paintSymbol.
const char* symbolOf(HeatQuantity quantity);
/// True for values in [0, 1] by their meaning.
bool isProbability(HeatQuantity quantity);
inline bool isCount(HeatQuantity quantity) {
    return std::holds_alternative<CellCount>(quantity);
}

/// Which values are laid over the cells.
struct HeatRequest {
    State state;    ///< the state that is shown; not looked at for kEarliestHeat
    int agent = 0;  ///< the agent that is moved from cell to cell
    int human = 0;  ///< index into World::goals(), for the quantities of a human
    int goal = 0;   ///< of that human, for those of a goal
    HeatQuantity quantity = ValueKind::V_h_e;
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
/// kEarliestHeat O(configurations). Not for kVisitHeat.
std::shared_ptr<const HeatField> computeHeat(const Solution& solution, const HeatRequest& request,
                                             std::stop_token stop = {});

/// The Visits of an agent in a walk of configurations.
std::shared_ptr<const HeatField> countVisits(const World& world,
                                             std::span<const std::span<const std::uint64_t>> walk,
                                             int agent);

}  // namespace orrery
