#pragma once

#include <QString>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/dag/predicate.h"
#include "core/dag/state_marks.h"
#include "widgets/dag/band_quantity.h"

namespace orrery {

class Solution;

/// A question about all states: a Predicate in which numbers of the solution may stand too, as in
/// "human0.at(2,2) and not door0.open and V_r < -4".
///
/// V_r, U_r, X_h(human0) and V_h_e(human0, 2) (the human's goal of that index, from 0) are compared
/// with a decimal number by < <= > >=; such a comparison may stand wherever a truth value may. At
/// most 6 of them.
class StateQuery {
public:
    /// @param solution  null: only what a Predicate knows
    /// @throws Error (BadInput) "column 12: ..."
    StateQuery(const World& world, std::shared_ptr<const Solution> solution, const QString& text);

    /// Null if stopped. Only reads; any thread.
    std::shared_ptr<const StateMarks> run(const StateGraph& graph, int threads,
                                          std::stop_token stop = {}) const;

    struct Comparison {
        BandQuantity quantity;
        bool isGreater = false;  ///< else less
        bool orEqual = false;
        double limit = 0;
    };

private:
    std::shared_ptr<const Solution> m_solution;
    std::vector<Comparison> m_comparisons;
    /// [2^comparisons] the predicate with the k-th comparison replaced by bit k of the index.
    std::vector<Predicate> m_predicates;
};

/// The column that an Error of a query names, from 1; 0 if it names none.
int columnOf(const QString& errorText);

/// Names and words that may stand in a query about a world, for completion: "human0.at(",
/// "door0.open", "step", "V_r".
QStringList queryWords(const World& world, const Solution* solution);

}  // namespace orrery
