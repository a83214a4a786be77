#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/solve/value_of.h"

namespace orrery {

struct StateDifference {
    State state;
    double a = 0, b = 0;
    double difference() const { return a - b; }
};

struct LargestDifferences {
    std::vector<StateDifference> rows;  ///< |a - b| descending, then by state
    std::int64_t states = 0;            ///< compared
    std::int64_t unequal = 0;           ///< not the same bit for bit
};

/// The `count` states in which two solutions of the same world differ most. What neither has there
/// is alike.
/// @return nothing if stopped
/// @throws Error (BadInput) if the worlds differ, or one graph is folded and the other is not
std::optional<LargestDifferences> largestDifferences(const Solution& a, const Solution& b,
                                                     const ValueOf& quantity, std::size_t count,
                                                     std::stop_token stop = {});

}  // namespace orrery
