#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/solve/solution.h"
#include "core/solve/value_of.h"

namespace orrery {

/// One term of a sum: product = weight * discount * value^exponent, or as the formula says.
struct ExplainedTerm {
    std::string label;               ///< "forward", "cell 3,1", "human0"; empty beside a successor
    std::optional<State> successor;  ///< whose value it is
    std::optional<ValueOf> inner;    ///< what the value is: of the successor, or of the state
    double weight = 1;               ///< probability or goal weight
    double discount = 1;  ///< e^(-rho D), where transitions have durations or goals end early
    double value = 0;
    double exponent = 1;
    bool isAttained = false;  ///< the goal holds in the successor, which is then worth 1
    double product = 0;
};

/// The sum behind one number: result = addend + factor * sum^outerExponent.
struct Explanation {
    ValueOf quantity;
    State state;
    std::string formula;      ///< "Q_r = gamma_r Σ p(s') V_r(s')", symbols as "gamma_r", "V_h^e"
    std::string weightMeans;  ///< what a term's weight is: "p = Σ mu(a_H|s) T(s'|s,a)"
    std::string source;       ///< where the equation stands
    std::string remark;       ///< why there are no terms, or what else was done; else empty

    std::vector<ExplainedTerm> terms;  ///< the largest |product| first
    std::size_t numTerms = 0;          ///< with those that are summed up here:
    double othersWeight = 0, othersProduct = 0;

    double sum = 0;  ///< of all products
    double addend = 0, factor = 1, outerExponent = 1;
    double result = 0;
    double shown = 0;       ///< what the solution shows
    double difference = 0;  ///< |result - shown| relative to the larger; 0 if both are 0
    double tolerance = 0;   ///< of difference: 1e-12, or of the precision that values are kept in
    bool agrees = false;
};

/// Takes the numbers of a solution apart. Any thread may ask it.
class Explainer {
public:
    /// @param believedOthers  the callback that the solution was made with, if there was one
    explicit Explainer(std::shared_ptr<const Solution> solution,
                       BelievedOthers believedOthers = {});
    ~Explainer();

    const Solution& solution() const { return *m_solution; }
    std::shared_ptr<const Solution> solutionPointer() const { return m_solution; }

    /// The sum behind a number with its `maxTerms` largest terms.
    ///
    /// @return nothing if stopped
    /// @throws Error (BadInput) if the state has no such quantity
    /// O(outcomes of the state's rows). Sums are made anew from the successors' values by another
    /// order of adding than the kernels', so that agreement says something.
    /// Source: seed 003, backward induction; spec empo sections 3 and 4.
    std::optional<Explanation> explain(State state, const ValueOf& quantity,
                                       std::size_t maxTerms = 64, std::stop_token stop = {}) const;

    /// About how many outcomes a sum of this state has to look at.
    std::size_t workOf(State state) const;

private:
    std::shared_ptr<const Solution> m_solution;
    std::unique_ptr<const SolvePlan> m_plan;
};

}  // namespace orrery
