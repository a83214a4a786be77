#include "core/solve/kept_phase1.h"

#include "core/solve/solve_plan.h"

namespace orrery {

bool KeptPhase1::prepare(const StateGraph& graph, const SolvePlan& plan) {
    if (!m_levels.empty()) return true;
    // The widest kernel may read and write up to seven lanes beyond the last goal.
    constexpr std::size_t kSlack = 8;
    const KernelPlan& kernel = plan.kernel();
    const auto humans = static_cast<std::size_t>(kernel.humans);
    const auto actions = static_cast<std::size_t>(plan.maxActions());
    m_policies = humans * actions * static_cast<std::size_t>(kernel.goalStride) + kSlack;
    m_marginals = humans * actions;
    m_values = static_cast<std::size_t>(kernel.lanes) + kSlack;
    const std::size_t record = m_policies + m_marginals + m_values;
    const auto configs = [&graph](int step) {
        return std::size_t{graph.levelEnd(step)} - graph.levelBegin(step);
    };
    std::size_t total = 0;
    for (int step = 0; step + 1 < graph.numLevels(); ++step) total += configs(step) * record;
    if (total * sizeof(double) > static_cast<std::size_t>(m_budget)) return false;
    m_bytes = static_cast<std::int64_t>(total * sizeof(double));
    m_levels.resize(static_cast<std::size_t>(graph.numLevels()) - 1);
    for (int step = 0; step + 1 < graph.numLevels(); ++step)
        m_levels[static_cast<std::size_t>(step)].resize(configs(step) * record);
    return true;
}

void KeptPhase1::clear() {
    m_levels.clear();
    m_bytes = 0;
    m_isComplete = false;
}

void KeptPhase1::point(int step, ConfigIndex offset, KernelOutput& out) {
    double* const record = m_levels[static_cast<std::size_t>(step)].data() +
                           std::size_t{offset} * (m_policies + m_marginals + m_values);
    out.pi_h = record;
    out.marginal = record + m_policies;
    out.v_h = record + m_policies + m_marginals;
}

}  // namespace orrery
