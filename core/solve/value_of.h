#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/solve/solution.h"

namespace orrery {

/// A quantity that a solution gives states. Source: spec empo sections 3 and 4.
enum class ValueKind : std::uint8_t {
    V_r,       ///< the robots' value, < 0
    U_r,       ///< what they get for the state itself, < 0
    Q_r,       ///< V_r to be expected after a joint action of theirs, < 0
    Pi_r,      ///< how likely they choose it
    X_h,       ///< a human's power, >= 0
    V_h_e,     ///< how well the human attains a goal under the policies
    V_h,       ///< the same as phase 1 has it
    Pi_h,      ///< how likely the human does an action for a goal
    Marginal,  ///< how likely, over the goals
};

/// The words of a kind, and what a quantity of this kind is about.
struct ValueKindFacts {
    ValueKind kind;
    const char* symbol;  ///< as people write it: "V_h^e"
    const char* name;    ///< in files and filters: "V_h_e"
    bool hasHuman, hasGoal, hasAction;
    bool isPhase1;       ///< a solution of phase 1 alone has it
    bool isProbability;  ///< in [0, 1]
};
inline constexpr std::array<ValueKindFacts, 9> kValueKinds = {{
    {ValueKind::V_r, "V_r", "V_r", false, false, false, false, false},
    {ValueKind::U_r, "U_r", "U_r", false, false, false, false, false},
    {ValueKind::Q_r, "Q_r", "Q_r", false, false, true, false, false},
    {ValueKind::Pi_r, "pi_r", "pi_r", false, false, true, false, true},
    {ValueKind::X_h, "X_h", "X_h", true, false, false, false, false},
    {ValueKind::V_h_e, "V_h^e", "V_h_e", true, true, false, false, true},
    {ValueKind::V_h, "V_h", "V_h", true, true, false, true, true},
    {ValueKind::Pi_h, "pi_h", "pi_h", true, true, true, true, true},
    {ValueKind::Marginal, "pi", "pi", true, false, true, true, true},
}};
constexpr const ValueKindFacts& factsOf(ValueKind kind) {
    return kValueKinds[static_cast<std::size_t>(kind)];
}

/// One quantity of a state.
struct ValueOf {
    ValueKind kind = ValueKind::V_r;
    int human = -1;   ///< index into World::goals(); -1 where the kind has none
    int goal = -1;    ///< of that human
    int action = -1;  ///< an own one of the human; without a human a robot profile (RobotProfiles)
    bool operator==(const ValueOf&) const = default;
};

/// All quantities of a kind, by human, goal and action.
std::vector<ValueOf> valuesOfKind(const World& world, ValueKind kind);

/// The value as the solution shows it: stored, or recomputed by the kernels. Nothing where it does
/// not exist: in a terminal state all but V_r, X_h and the V's; in a solution of phase 1 alone what
/// belongs to phase 2. Any thread may ask.
/// @throws Error (BadInput) if the state is not in the graph
std::optional<double> valueOf(const Solution& solution, State state, const ValueOf& asked);
/// The same among the values of a state.
std::optional<double> valueOf(const StateValues& values, const ValueOf& asked);

/// The value for loops over all states, unchecked: state, human and goal exist. X_h and U_r are
/// made of the stored V_h^e instead of by the kernels, so they have its precision. NaN where there
/// is none, and for X_h in a terminal state. Any thread may ask.
double storedValueOf(const Solution& solution, State state, const ValueOf& asked);

}  // namespace orrery
