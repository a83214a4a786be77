#include "core/solve/explain_reach.h"

namespace orrery {

namespace {

std::size_t widthOf(const StateGraph& graph, int step) {
    return graph.levelEnd(step) - graph.levelBegin(step);
}

}  // namespace

std::int64_t ReachTable::bytesFor(const StateGraph& graph) {
    std::int64_t bytes = 0;
    for (int t = 0; t < graph.numLevels(); ++t)
        bytes += static_cast<std::int64_t>(widthOf(graph, t) * sizeof(double));
    return bytes;
}

ReachTable::ReachTable(std::shared_ptr<const Solution> solution)
    : m_solution(std::move(solution)), m_levels(m_solution->graph().numLevels()) {
    const StateGraph& graph = m_solution->graph();
    m_levels[0].assign(widthOf(graph, 0), 0.0);
    const auto root = graph.find(graph.world().initialConfiguration(), 0);
    m_levels[0][root.value_or(graph.levelBegin(0)) - graph.levelBegin(0)] = 1.0;
    m_next = graph.levelBegin(0);
}

bool ReachTable::advance(std::int64_t states, std::stop_token stop) {
    const StateGraph& graph = m_solution->graph();
    while (!isComplete()) {
        std::vector<double>& next = m_levels[m_step + 1];
        if (next.empty()) next.assign(widthOf(graph, m_step + 1), 0.0);
        const ConfigIndex begin = graph.levelBegin(m_step);
        for (; m_next < graph.levelEnd(m_step); ++m_next) {
            const double p = m_levels[m_step][m_next - begin];
            if (p == 0.0) continue;  // no kernel is asked, so it does not count either
            if (states-- <= 0 || stop.stop_requested()) return false;
            for (const Successor& successor : m_solution->inducedChain({m_step, m_next}))
                next[successor.state.config - graph.levelBegin(m_step + 1)] +=
                    p * successor.probability;
        }
        ++m_step;
        m_next = graph.levelBegin(m_step);
    }
    return true;
}

std::optional<double> ReachTable::of(State state) const {
    if (state.step > m_step || state.step >= static_cast<int>(m_levels.size())) return std::nullopt;
    return m_levels[state.step][state.config - m_solution->graph().levelBegin(state.step)];
}

}  // namespace orrery
