#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/solve/solution.h"

namespace orrery {

/// How likely an episode from the first state visits each state, if the robots follow pi_r and the
/// humans their goal-marginal policies: the induced chain, carried forward level by level. Made in
/// slices, so that other work of the same thread may come between. One thread at a time.
class ReachTable {
public:
    /// Bytes that a whole table takes.
    static std::int64_t bytesFor(const StateGraph& graph);

    explicit ReachTable(std::shared_ptr<const Solution> solution);

    /// Looks at up to `states` further states. True when all are done; stays unfinished if stopped.
    bool advance(std::int64_t states, std::stop_token stop = {});
    bool isComplete() const { return m_step + 1 >= static_cast<int>(m_levels.size()); }

    const Solution& solution() const { return *m_solution; }
    /// In [0, 1]; the probabilities of a level sum to 1. Nothing if the level is not reached yet.
    std::optional<double> of(State state) const;

private:
    std::shared_ptr<const Solution> m_solution;
    std::vector<std::vector<double>> m_levels;  ///< [L] by configuration from levelBegin on
    int m_step = 0;                             ///< whose states are being carried forward
    ConfigIndex m_next = 0;                     ///< the next one of them
};

}  // namespace orrery
