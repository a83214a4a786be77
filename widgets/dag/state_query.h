#pragma once

#include <QString>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/dag/predicate.h"
#include "core/dag/state_marks.h"
#include "core/solve/value_of.h"

namespace orrery {

class Solution;

/// A question about all states: a Predicate in which numbers of the solution may stand too, as in
/// "human0.at(2,2) and not door0.open and V_r < -4".
///
/// V_r, U_r, X_h(human0) and V_h_e(human0, 2) (the human's goal of that index, from 0) are compared
/// with a decimal number by < <= > >=; at most 64 times.
class StateQuery {
public:
    /// @param solution  null: only what a Predicate knows
    /// @throws Error (BadInput) "column 12: ..."
    StateQuery(const World& world, std::shared_ptr<const Solution> solution, const QString& text);

    /// Null if stopped. Only reads; any thread.
    std::shared_ptr<const StateMarks> run(const StateGraph& graph, int threads,
                                          std::stop_token stop = {}) const;

private:
    StateQuery(const World& world, std::shared_ptr<const Solution> solution, const QString& text,
               const FilterFields& fields, std::vector<FilterNode> compared);

    struct Comparison {
        ValueOf quantity;
        FilterSign sign = FilterSign::Equal;
        double limit = 0;
    };
    std::shared_ptr<const Solution> m_solution;
    Predicate m_predicate;
    std::vector<Comparison> m_comparisons;  ///< in the order of the predicate's truths
};

/// Names and words that may stand in a query about a world, for completion: "human0.at(",
/// "door0.open", "step", "V_r".
QStringList queryWords(const World& world, const Solution* solution);

}  // namespace orrery
