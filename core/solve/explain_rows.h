#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/solve/solution.h"
#include "core/solve/solve_plan.h"

namespace orrery {

/// One way to a successor: with what probability, and how far its value is discounted.
struct RowPart {
    ConfigIndex successor = 0;
    double discount = 1;
    double probability = 0;
};

/// The rows of one state, read one by one. The solution and the plan must outlive it.
class ExplainRows {
public:
    ExplainRows(const Solution& solution, const SolvePlan& plan, State state);

    /// Calls visit(probability, successor) for each outcome of a row, in stored order.
    template <typename Visit>
    void forRow(std::uint32_t row, const Visit& visit) const {
        for (std::uint32_t e = m_begin[row]; e < m_begin[row + 1]; ++e)
            visit(m_rows.probability == nullptr ? 1.0 : m_palette[m_rows.probability[e]],
                  m_rows.successor[e]);
    }

    /// Adds a row's outcomes, each with `weight` times its probability. With a human and a goal the
    /// discount is the human's, and 1 where the goal holds in the successor; without, the robot's
    /// where transitions have durations, else 1.
    void add(std::uint32_t row, double weight, std::vector<RowPart>& parts) const;
    void addForGoal(std::uint32_t row, double weight, int human, int goal,
                    std::vector<RowPart>& parts) const;

    /// Phase 1's Q of each own action, added in the kernels' order, so that ties are the same ties;
    /// and which other agents' profile was the worst (or best) for each [A_h x K].
    struct HumanQ {
        std::vector<double> q;                 ///< [A_h]
        std::vector<std::uint32_t> chosenRow;  ///< [A_h x K]
        std::vector<double> belief;            ///< [A_h x K]
    };
    HumanQ humanQ(int human, int goal, std::stop_token stop) const;
    /// nu times the habitual policy, [A_h]; zeros without one.
    std::vector<double> habit(int human) const;

    bool holds(ConfigIndex successor, int human, int goal) const;
    State next(ConfigIndex successor) const { return {m_state.step + 1, successor}; }

private:
    const Solution& m_solution;
    const SolvePlan& m_plan;
    State m_state;
    ConfigRows m_rows;
    const double* m_palette;
    std::vector<std::uint32_t> m_begin;  ///< [R + 1]
};

/// Adds up the probabilities of equal successors with equal discounts; by successor.
void mergeParts(std::vector<RowPart>& parts);

}  // namespace orrery
