#include "core/base/error.h"
#include "core/solve/explain.h"

namespace orrery {

namespace {

using Kind = SolutionQuantity::Kind;

bool inRange(int index, std::size_t size) {
    return index >= 0 && static_cast<std::size_t>(index) < size;
}

std::optional<double> recomputed(const Solution& solution, State state,
                                 const SolutionQuantity& quantity) {
    const StateValues values = solution.values(state);
    const auto at = [](const std::vector<double>& list, int index) -> std::optional<double> {
        if (!inRange(index, list.size())) return std::nullopt;
        return list[index];
    };
    const int h = quantity.human;
    switch (quantity.kind) {
        case Kind::U_r:
            return values.terminal || values.q_r.empty() ? std::nullopt : std::optional(values.u_r);
        case Kind::Q_r:
            return at(values.q_r, quantity.action);
        case Kind::Pi_r:
            return at(values.pi_r, quantity.action);
        case Kind::X_h:
            return at(values.x_h, h);
        case Kind::Pi_h:
            if (!inRange(h, values.pi_h.size()) || !inRange(quantity.goal, values.pi_h[h].size()))
                return std::nullopt;
            return at(values.pi_h[h][quantity.goal], quantity.action);
        case Kind::Marginal:
            if (!inRange(h, values.marginal.size())) return std::nullopt;
            return at(values.marginal[h], quantity.action);
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<double> quantityOf(const Solution& solution, State state,
                                 const SolutionQuantity& quantity) {
    const StateGraph& graph = solution.graph();
    if (state.step < 0 || state.step >= graph.numLevels() ||
        !graph.inLevel(state.step, state.config))
        throw Error("The state is not in the graph", Error::Kind::BadInput);
    const auto goals = solution.world().goals();
    const int h = quantity.human;
    const bool isPhase1 = quantity.kind == Kind::V_h || quantity.kind == Kind::Pi_h ||
                          quantity.kind == Kind::Marginal;
    const bool hasGoal = inRange(h, goals.size()) && inRange(quantity.goal, goals[h].goals.size());
    if (!isPhase1 && solution.spec().phase1Only) return std::nullopt;
    switch (quantity.kind) {
        case Kind::V_r:
            return solution.v_r(state);
        case Kind::V_h_e:
            return hasGoal ? std::optional(solution.v_h_e(state, h, quantity.goal)) : std::nullopt;
        case Kind::V_h:
            return hasGoal ? std::optional(solution.v_h(state, h, quantity.goal)) : std::nullopt;
        default:
            return recomputed(solution, state, quantity);
    }
}

}  // namespace orrery
