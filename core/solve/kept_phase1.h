#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/dag/big_array.h"
#include "core/solve/kernel.h"
#include "core/solve/solution.h"

namespace orrery {

/// What phase 1 found for every state, in the form in which the kernels leave it and phase 2 reads
/// it: one record [pi_h | marginal | V_h] a configuration and level. Threads write and read records
/// of different configurations at once; the other members belong to one thread.
class KeptPhase1 {
public:
    /// @param budget  bytes that the records may take; where they need more, nothing is kept
    explicit KeptPhase1(std::int64_t budget) : m_budget(budget) {}

    /// True if all records are filled.
    bool isComplete() const { return m_isComplete; }
    std::int64_t bytes() const { return m_bytes; }

    /// Makes room for the records of a problem, unless they are there. @return false if they do not
    /// fit into the budget
    bool prepare(const StateGraph& graph, const SolvePlan& plan);
    void setComplete() { m_isComplete = true; }
    void clear();

    /// Makes the kernels write and read a configuration's record.
    void point(int step, ConfigIndex offset, KernelOutput& out);

private:
    std::int64_t m_budget;
    std::int64_t m_bytes = 0;
    bool m_isComplete = false;
    std::size_t m_policies = 0, m_marginals = 0, m_values = 0;  ///< doubles of a record's parts
    std::vector<BigArray<double>> m_levels;                     ///< [L - 1]
};

/// solve(), with phase 1 taken from `kept` if that is complete, else computed and kept there as far
/// as it fits. `kept` must be of the same graph and of a spec that samePhase1 as this one.
std::shared_ptr<const Solution> solveKeeping(std::shared_ptr<const StateGraph> graph,
                                             const SolveSpec& spec, const SolveHooks& hooks,
                                             std::stop_token stop, SolveStatistics* statistics,
                                             KeptPhase1& kept);

}  // namespace orrery
