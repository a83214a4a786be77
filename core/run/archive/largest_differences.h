#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/solve/solution.h"

namespace orrery {

/// A value of a state that two runs may disagree on.
enum class ComparedValue : std::uint8_t {
    RobotValue,    ///< V_r
    GoalAbility,   ///< V_h^e of a human and goal
    GoalPrior,     ///< phase 1's V of a human and goal
    Power,         ///< X_h of a human
    RobotUtility,  ///< U_r
};

/// "V_r", "V_h^e", ...
const char* symbolOf(ComparedValue value);

struct ComparedQuantity {
    ComparedValue value = ComparedValue::RobotValue;
    int human = 0;  ///< index into World::goals()
    int goal = 0;   ///< of that human
    bool operator==(const ComparedQuantity&) const = default;
};

/// The quantity of a state. X_h and U_r are computed from the next level, the others stored.
double quantityOf(const Solution& solution, const ComparedQuantity& quantity, State state);

struct StateDifference {
    State state;
    double a = 0, b = 0;
    double difference() const { return a - b; }
};

struct LargestDifferences {
    std::vector<StateDifference> rows;  ///< |a - b| descending, then by state
    std::int64_t states = 0;            ///< compared
    std::int64_t unequal = 0;           ///< not the same bit for bit
};

/// The `count` states in which two solutions of the same world differ most.
/// @return nothing if stopped
/// @throws Error (BadInput) if the worlds differ, or one graph is folded and the other is not
std::optional<LargestDifferences> largestDifferences(const Solution& a, const Solution& b,
                                                     const ComparedQuantity& quantity,
                                                     std::size_t count, std::stop_token stop = {});

}  // namespace orrery
