#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

#include "core/solve/solution.h"

namespace orrery {

class KeptPhase1;

/// True if phase 1 gives the same for both: the humans' temperature, discount, optimism, beliefs,
/// habits and the precision of stored values.
bool samePhase1(const SolveSpec& a, const SolveSpec& b);

/// Solves the same graph again and again with changing parameters. What the humans do is kept from
/// solve to solve, so that parameters of phase 2 alone cost phase 2 alone. The values are bit for
/// bit those of solve(). One thread at a time; the solutions outlive the resolver.
class Resolver {
public:
    static constexpr std::int64_t kDefaultBudget = std::int64_t{1} << 30;

    /// @param budget  bytes that phase 1's policies may take; without room for them both phases are
    ///                solved each time
    explicit Resolver(std::shared_ptr<const StateGraph> graph,
                      std::int64_t budget = kDefaultBudget);
    ~Resolver();

    const std::shared_ptr<const StateGraph>& graph() const { return m_graph; }

    /// @return null if stopped
    /// @throws Error as solve(); the next solve is none the worse for it
    std::shared_ptr<const Solution> solve(const SolveSpec& spec, const SolveHooks& hooks = {},
                                          std::stop_token stop = {},
                                          SolveStatistics* statistics = nullptr);

    /// True if a solve of `spec` would do phase 2 alone.
    bool reusesPhase1(const SolveSpec& spec) const;
    /// Bytes that the kept policies take.
    std::int64_t keptBytes() const;

private:
    std::shared_ptr<const StateGraph> m_graph;
    std::unique_ptr<KeptPhase1> m_kept;
    std::optional<SolveSpec> m_keptSpec;  ///< that m_kept is of
};

}  // namespace orrery
