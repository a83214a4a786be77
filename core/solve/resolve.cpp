#include "core/solve/resolve.h"

#include <utility>

#include "core/solve/kept_phase1.h"

namespace orrery {

bool samePhase1(const SolveSpec& a, const SolveSpec& b) {
    return a.beta_h == b.beta_h && a.gamma_h == b.gamma_h && a.rho_h == b.rho_h &&
           a.optimistic == b.optimistic && a.believedOthers == b.believedOthers && a.nu == b.nu &&
           a.habits == b.habits && a.storage == b.storage;
}

Resolver::Resolver(std::shared_ptr<const StateGraph> graph, std::int64_t budget)
    : m_graph(std::move(graph)), m_kept(std::make_unique<KeptPhase1>(budget)) {}

Resolver::~Resolver() = default;

bool Resolver::reusesPhase1(const SolveSpec& spec) const {
    return m_keptSpec && m_kept->isComplete() && samePhase1(*m_keptSpec, spec);
}

std::int64_t Resolver::keptBytes() const {
    return m_kept->bytes();
}

std::shared_ptr<const Solution> Resolver::solve(const SolveSpec& spec, const SolveHooks& hooks,
                                                std::stop_token stop, SolveStatistics* statistics) {
    // Beliefs in code cannot be compared with those of the solve before.
    if (hooks.believedOthers)
        return orrery::solve(m_graph, spec, hooks, std::move(stop), statistics);
    if (!reusesPhase1(spec)) {
        m_kept->clear();
        m_keptSpec = spec;
    }
    return solveKeeping(m_graph, spec, hooks, std::move(stop), statistics, *m_kept);
}

}  // namespace orrery
