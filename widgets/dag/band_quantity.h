#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "core/dag/state_graph.h"

namespace orrery {

class Solution;
class World;

/// A number that a solution gives each state.
struct BandQuantity {
    enum class Kind { None, RobotValue, RobotReward, HumanPower, GoalAbility };
    Kind kind = Kind::None;
    int human = -1;  ///< index into World::goals(); of HumanPower and GoalAbility
    int goal = -1;   ///< of GoalAbility
    bool operator==(const BandQuantity&) const = default;
};

/// The quantities that a solution has: V_r, U_r, X_h of each human, V_h^e of each goal; only None
/// for a solution of phase 1 alone or for no solution.
std::vector<BandQuantity> bandQuantities(const Solution* solution);

/// "V_r", "X_h": the symbol alone, for paintSymbol.
QString symbolOf(const BandQuantity& quantity);
/// "Vₕᵉ of A, goal 3,1": with whom and what it is about, as plain text.
QString nameOf(const BandQuantity& quantity, const World& world,
               const std::vector<QString>& letters);

/// The quantity of a state; NaN where it has none (U_r and X_h in a terminal state). The function
/// keeps a reference to the solution; any thread may call it.
std::function<double(State)> valuesOf(const Solution& solution, const BandQuantity& quantity);

}  // namespace orrery
