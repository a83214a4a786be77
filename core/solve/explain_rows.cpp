#include "core/solve/explain_rows.h"

#include <algorithm>

namespace orrery {

ExplainRows::ExplainRows(const Solution& solution, const SolvePlan& plan, State state)
    : m_solution(solution),
      m_plan(plan),
      m_state(state),
      m_rows(solution.graph().rows(state.config)),
      m_palette(plan.kernel().palette) {
    const std::uint32_t rows = plan.kernel().rows;
    m_begin.resize(rows + 1);
    for (std::uint32_t row = 0; row < rows; ++row)
        m_begin[row + 1] = m_begin[row] + (m_rows.count == nullptr ? 1u : m_rows.count[row]);
}

void ExplainRows::add(std::uint32_t row, double weight, std::vector<RowPart>& parts) const {
    const double discount = m_plan.hasDurations() ? m_plan.rowDiscount_r(row) : 1.0;
    forRow(row, [&](double probability, ConfigIndex successor) {
        parts.push_back({successor, discount, weight * probability});
    });
}

void ExplainRows::addForGoal(std::uint32_t row, double weight, int human, int goal,
                             std::vector<RowPart>& parts) const {
    const double discount = m_plan.rowDiscount_h(row);
    forRow(row, [&](double probability, ConfigIndex successor) {
        const bool isAttained = holds(successor, human, goal);
        parts.push_back({successor, isAttained ? 1.0 : discount, weight * probability});
    });
}

bool ExplainRows::holds(ConfigIndex successor, int human, int goal) const {
    const StateGraph& graph = m_solution.graph();
    return (graph.world().attainedGoals(graph.configuration(successor), human) >> goal & 1U) != 0;
}

ExplainRows::HumanQ ExplainRows::humanQ(int human, int goal, std::stop_token stop) const {
    const KernelPlan& plan = m_plan.kernel();
    const KernelHuman& own = plan.human[human];
    std::vector<int> values;
    std::vector<double> beliefs, habits;
    KernelInput in;
    m_plan.applyRules(m_solution.graph(), m_state, values, beliefs, habits, in);
    const double* belief = in.belief;
    for (int h = 0; belief != nullptr && h < human; ++h)
        belief += plan.human[h].actions * plan.human[h].othersCount;

    const auto expectation = [&](std::uint32_t row) {
        double sum = 0;
        bool isFirst = true;
        forRow(row, [&](double probability, ConfigIndex successor) {
            const double worth =
                holds(successor, human, goal)
                    ? 1.0
                    : m_plan.rowDiscount_h(row) * m_solution.v_h(next(successor), human, goal);
            const double term = m_rows.probability == nullptr ? worth : worth * probability;
            sum = isFirst ? term : sum + term;
            isFirst = false;
        });
        return sum;
    };
    HumanQ result;
    for (int a = 0; a < own.actions; ++a) {
        double sum = 0;
        for (int k = 0; k < own.othersCount; ++k) {
            if (stop.stop_requested()) return result;
            const double p =
                belief == nullptr ? 1.0 / own.othersCount : belief[a * own.othersCount + k];
            const std::uint32_t base =
                static_cast<std::uint32_t>(a) * own.actionStride + own.othersOffset[k];
            std::uint32_t chosen = base + plan.nonHumanOffset[0];
            result.belief.push_back(p);
            // The kernels do not look at these rows either; the lists need an entry all the same.
            if (p == 0.0) {
                result.chosenRow.push_back(chosen);
                continue;
            }
            double best = expectation(chosen);
            for (int r = 1; r < plan.nonHumanCount; ++r) {
                const std::uint32_t row = base + plan.nonHumanOffset[r];
                const double other = expectation(row);
                if (plan.optimistic ? other > best : other < best) {
                    best = other;
                    chosen = row;
                }
            }
            result.chosenRow.push_back(chosen);
            sum += best * p;
        }
        result.q.push_back(sum);
    }
    return result;
}

std::vector<double> ExplainRows::habit(int human) const {
    std::vector<int> values;
    std::vector<double> beliefs, habits;
    KernelInput in;
    m_plan.applyRules(m_solution.graph(), m_state, values, beliefs, habits, in);
    const int actions = m_plan.kernel().human[human].actions;
    std::vector<double> mixed(static_cast<std::size_t>(actions), 0.0);
    if (in.habit == nullptr) return mixed;
    const double* own = in.habit + static_cast<std::ptrdiff_t>(human) * m_plan.maxActions();
    for (int a = 0; a < actions; ++a) mixed[a] = m_plan.kernel().nu * own[a];
    return mixed;
}

void mergeParts(std::vector<RowPart>& parts) {
    // Stable, so that equal ones are added in the order of the rows: the same bits each time.
    std::ranges::stable_sort(parts, [](const RowPart& a, const RowPart& b) {
        return a.successor != b.successor ? a.successor < b.successor : a.discount < b.discount;
    });
    std::size_t kept = 0;
    for (const RowPart& part : parts) {
        if (part.probability == 0.0) continue;
        RowPart* last = kept > 0 ? &parts[kept - 1] : nullptr;
        if (last != nullptr && last->successor == part.successor && last->discount == part.discount)
            last->probability += part.probability;
        else
            parts[kept++] = part;
    }
    parts.resize(kept);
}

}  // namespace orrery
