#include "core/solve/value_of.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"

namespace orrery {

namespace {

std::optional<double> at(const std::vector<double>& list, int index) {
    if (index < 0 || index >= std::ssize(list)) return std::nullopt;
    return list[index];
}

template <typename List>
std::optional<double> at(const std::vector<List>& table, int row, auto... indices) {
    if (row < 0 || row >= std::ssize(table)) return std::nullopt;
    return at(table[row], indices...);
}

bool hasGoal(const World& world, const ValueOf& asked) {
    const auto goals = world.goals();
    return asked.human >= 0 && asked.human < std::ssize(goals) && asked.goal >= 0 &&
           asked.goal < std::ssize(goals[asked.human].goals);
}

/// X_h = sum_g w_g V_h^e(g)^zeta, at least the floor. Source: spec empo section 3.
double storedX_h(const Solution& solution, State state, int human) {
    const double zeta = solution.spec().zeta;
    const std::vector<double>& weights = solution.world().goals()[human].weights;
    double x = 0;
    for (int g = 0; g < std::ssize(weights); ++g) {
        const double v = solution.v_h_e(state, human, g);
        x += weights[g] * (zeta == 1.0 ? v : zeta == 2.0 ? v * v : std::pow(v, zeta));
    }
    return std::max(x, solution.spec().x_h_floor.value_or(0.0));
}

/// U_r = -(mean_h X_h^-xi)^eta.
double storedU_r(const Solution& solution, State state) {
    const SolveSpec& spec = solution.spec();
    const auto numHumans = static_cast<int>(solution.world().goals().size());
    double sum = 0;
    for (int h = 0; h < numHumans; ++h) {
        const double x = storedX_h(solution, state, h);
        sum += spec.xi == 1.0 ? 1.0 / x : std::pow(x, -spec.xi);
    }
    return -std::pow(sum / numHumans, spec.eta);
}

}  // namespace

std::vector<ValueOf> valuesOfKind(const World& world, ValueKind kind) {
    const ValueKindFacts& facts = factsOf(kind);
    std::vector<ValueOf> all;
    const auto add = [&](ValueOf one, int numActions) {
        if (!facts.hasAction) return all.push_back(one);
        for (one.action = 0; one.action < numActions; ++one.action) all.push_back(one);
    };
    if (!facts.hasHuman) {
        add({kind}, facts.hasAction ? static_cast<int>(robotProfiles(world).actions.size()) : 0);
        return all;
    }
    const auto goals = world.goals();
    for (int h = 0; h < std::ssize(goals); ++h) {
        const int numActions = world.numActions(goals[h].agent);
        if (!facts.hasGoal) add({kind, h}, numActions);
        for (int g = 0; facts.hasGoal && g < std::ssize(goals[h].goals); ++g)
            add({kind, h, g}, numActions);
    }
    return all;
}

std::optional<double> valueOf(const StateValues& values, const ValueOf& asked) {
    const bool hasRobot = values.v_r < 0;  // not in a solution of phase 1 alone
    switch (asked.kind) {
        case ValueKind::V_r:
            return hasRobot ? std::optional(values.v_r) : std::nullopt;
        case ValueKind::U_r:
            return hasRobot && !values.terminal ? std::optional(values.u_r) : std::nullopt;
        case ValueKind::Q_r:
            return at(values.q_r, asked.action);
        case ValueKind::Pi_r:
            return at(values.pi_r, asked.action);
        case ValueKind::X_h:
            return at(values.x_h, asked.human);
        case ValueKind::V_h_e:
            return hasRobot ? at(values.v_h_e, asked.human, asked.goal) : std::nullopt;
        case ValueKind::V_h:
            return at(values.v_h, asked.human, asked.goal);
        case ValueKind::Pi_h:
            return at(values.pi_h, asked.human, asked.goal, asked.action);
        case ValueKind::Marginal:
            return at(values.marginal, asked.human, asked.action);
    }
    return std::nullopt;
}

std::optional<double> valueOf(const Solution& solution, State state, const ValueOf& asked) {
    const StateGraph& graph = solution.graph();
    if (state.step < 0 || state.step >= graph.numLevels() ||
        !graph.inLevel(state.step, state.config))
        throw Error("The state is not in the graph", Error::Kind::BadInput);
    if (solution.spec().phase1Only && !factsOf(asked.kind).isPhase1) return std::nullopt;
    switch (asked.kind) {
        case ValueKind::V_r:
            return solution.v_r(state);
        case ValueKind::V_h_e:
            if (!hasGoal(solution.world(), asked)) return std::nullopt;
            return solution.v_h_e(state, asked.human, asked.goal);
        case ValueKind::V_h:
            if (!hasGoal(solution.world(), asked)) return std::nullopt;
            return solution.v_h(state, asked.human, asked.goal);
        default:
            return valueOf(solution.values(state), asked);
    }
}

double storedValueOf(const Solution& solution, State state, const ValueOf& asked) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (solution.spec().phase1Only && !factsOf(asked.kind).isPhase1) return kNone;
    const auto isTerminal = [&] { return state.step + 1 == solution.graph().numLevels(); };
    switch (asked.kind) {
        case ValueKind::V_r:
            return solution.v_r(state);
        case ValueKind::U_r:
            return isTerminal() ? kNone : storedU_r(solution, state);
        case ValueKind::X_h:
            return isTerminal() ? kNone : storedX_h(solution, state, asked.human);
        case ValueKind::V_h_e:
            return solution.v_h_e(state, asked.human, asked.goal);
        case ValueKind::V_h:
            return solution.v_h(state, asked.human, asked.goal);
        default:
            return valueOf(solution, state, asked).value_or(kNone);
    }
}

}  // namespace orrery
