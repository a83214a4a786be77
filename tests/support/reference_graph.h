#pragma once

#include <utility>
#include <vector>

#include "tests/support/reference_world.h"

namespace orrery::reference {

/// Every reachable state of a small world with all its rows, breadth first.
struct RefGraph {
    using Row = std::vector<std::pair<double, int>>;  ///< (probability, state index), merged

    std::vector<RefState> states;        ///< [S] the start first; steps ascending
    std::vector<std::vector<Row>> rows;  ///< [S][profile]; empty for terminal states

    std::vector<long> statesPerStep() const;
    long numRows() const;
    long numEntries() const;
    long numDistinctEdges() const;
    /// Sum over all entries of the probability squared.
    double sumOfSquares() const;
    /// stateSetHash() of all states.
    std::string stateHash() const;
};

/// Explores from the start state over all joint action profiles.
RefGraph exploreAll(const RefWorld& world);

}  // namespace orrery::reference
