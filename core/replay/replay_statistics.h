#pragma once

#include <cstdint>
#include <vector>

namespace orrery {

/// How a replay buffer stands.
struct ReplayStatistics {
    std::int64_t size = 0, capacity = 0;  ///< transitions
    std::int64_t added = 0, evicted = 0;  ///< since the beginning, transitions
    std::int64_t sampled = 0;             ///< drawn since the beginning
    std::int64_t shared = 0;  ///< of those added: what can follow their state was there already
    std::int64_t states = 0;  ///< different ones, successors included
    std::int64_t models = 0;  ///< different ones; size less this many transitions start alike
    std::int64_t stateBytes = 0, modelBytes = 0, rowBytes = 0;  ///< allocated

    // Ages. Training steps at which transitions were stored; 0 without transitions.
    std::int64_t oldestStep = 0, newestStep = 0;
    /// Transitions by equal parts of [oldestStep, newestStep], the last closed; kAgeBins of them.
    static constexpr int kAgeBins = 20;
    std::vector<std::int64_t> byAge;

    std::int64_t bytes() const { return stateBytes + modelBytes + rowBytes; }
    bool operator==(const ReplayStatistics&) const = default;
};

}  // namespace orrery
