#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/solve/explain.h"

namespace orrery {

/// How a quantity spreads over a set of states.
struct ValueSpread {
    static constexpr std::array<double, 5> kQuantiles = {0.05, 0.25, 0.5, 0.75, 0.95};

    std::int64_t states = 0;  ///< of the set
    std::int64_t n = 0;       ///< of them with this quantity; all else is meaningless if 0
    double min = 0, max = 0, mean = 0;
    double sd = 0;                     ///< of the whole set: divided by n
    std::array<double, 5> quantile{};  ///< at kQuantiles, linear between neighbours
    std::vector<std::int64_t> count;   ///< [bins] over [min, max], the last one closed
};

/// Reads a quantity of many states in slices, so that other work of the same thread may come
/// between. One thread at a time.
class SpreadBuilder {
public:
    SpreadBuilder(std::shared_ptr<const Solution> solution, ValueOf quantity,
                  std::vector<State> states);

    /// Reads up to `states` further ones. True when all are done.
    bool advance(std::int64_t states, std::stop_token stop = {});
    double share() const;  ///< done, in [0, 1]
    /// Of the states read so far. O(n log n).
    ValueSpread spread(int bins) const;

private:
    std::shared_ptr<const Solution> m_solution;
    ValueOf m_quantity;
    std::vector<State> m_states;
    std::size_t m_next = 0;
    std::vector<double> m_values;
};

/// All states of a level in index order. Empty if stopped.
std::vector<State> statesOfLevel(const StateGraph& graph, int step, std::stop_token stop = {});

}  // namespace orrery
