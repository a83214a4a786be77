#include "core/solve/explain_spread.h"

#include <algorithm>
#include <cmath>

namespace orrery {

namespace {

/// Linear between the two values around rank q (n - 1).
double quantileOf(const std::vector<double>& sorted, double q) {
    const double rank = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (rank - static_cast<double>(below));
}

/// valueOf without the kernels where the stored values are enough, to their last bits.
std::optional<double> quickValue(const Solution& solution, State state, const ValueOf& quantity) {
    const bool isTerminal = state.step + 1 >= solution.graph().numLevels();
    const bool isOfAbilities = quantity.kind == ValueKind::X_h || quantity.kind == ValueKind::U_r;
    if (!isOfAbilities || isTerminal || solution.spec().phase1Only ||
        solution.spec().storage != ValueStorage::Double)
        return valueOf(solution, state, quantity);
    return storedValueOf(solution, state, quantity);
}

}  // namespace

SpreadBuilder::SpreadBuilder(std::shared_ptr<const Solution> solution, ValueOf quantity,
                             std::vector<State> states)
    : m_solution(std::move(solution)), m_quantity(quantity), m_states(std::move(states)) {}

bool SpreadBuilder::advance(std::int64_t states, std::stop_token stop) {
    for (; m_next < m_states.size(); ++m_next) {
        if (states-- <= 0 || stop.stop_requested()) return false;
        if (const auto value = quickValue(*m_solution, m_states[m_next], m_quantity))
            m_values.push_back(*value);
    }
    return true;
}

double SpreadBuilder::share() const {
    return m_states.empty() ? 1.0
                            : static_cast<double>(m_next) / static_cast<double>(m_states.size());
}

ValueSpread SpreadBuilder::spread(int bins) const {
    ValueSpread spread;
    spread.states = static_cast<std::int64_t>(m_next);
    spread.n = std::ssize(m_values);
    spread.count.assign(bins, 0);
    if (m_values.empty()) return spread;
    std::vector<double> sorted = m_values;
    std::ranges::sort(sorted);
    spread.min = sorted.front();
    spread.max = sorted.back();
    const auto n = static_cast<double>(sorted.size());
    for (const double value : sorted) spread.mean += value / n;
    if (spread.min == spread.max) spread.mean = spread.min;  // not beside it, by rounding
    double squares = 0;
    for (const double value : sorted) squares += (value - spread.mean) * (value - spread.mean);
    spread.sd = std::sqrt(squares / n);
    for (std::size_t i = 0; i < spread.quantile.size(); ++i)
        spread.quantile[i] = quantileOf(sorted, ValueSpread::kQuantiles[i]);
    const double width = spread.max - spread.min;
    for (const double value : sorted) {
        const int bin = width > 0 ? static_cast<int>((value - spread.min) / width * bins) : 0;
        ++spread.count[std::clamp(bin, 0, bins - 1)];
    }
    return spread;
}

std::vector<State> statesOfLevel(const StateGraph& graph, int step, std::stop_token stop) {
    std::vector<State> states;
    states.reserve(static_cast<std::size_t>(graph.levelSize(step)));
    for (ConfigIndex c = graph.levelBegin(step); c < graph.levelEnd(step); ++c) {
        if (c % 65536 == 0 && stop.stop_requested()) return {};
        if (graph.inLevel(step, c)) states.push_back({step, c});
    }
    return states;
}

}  // namespace orrery
