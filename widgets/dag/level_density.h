#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/dag/state_graph.h"
#include "widgets/dag/band_quantity.h"

namespace orrery {

/// How the states of each level spread over a quantity. Immutable once computed.
struct LevelDensity {
    static constexpr int kBins = 2048;  ///< over [low, high]

    BandQuantity quantity;
    std::vector<std::int64_t> states;  ///< [L] of the whole level, always exact
    /// Of all values that a float can hold; equal if they all are or there are none.
    double low = 0, high = 0;
    std::int64_t numAtEdge = 0;  ///< looked at and beyond that, in the first and last bin
    /// One of so many states was looked at; 1: all, and counts are exact.
    std::int64_t stride = 1;

    struct Level {
        std::int64_t numValues = 0;         ///< states that have the quantity
        double min = 0, mean = 0, max = 0;  ///< meaningless without values
        std::vector<std::uint32_t> count;   ///< [kBins] states; empty without a quantity
        /// Value by configuration from levelBegin on, NaN elsewhere; empty if stride > 1.
        std::vector<float> value;
    };
    std::vector<Level> levels;

    int numLevels() const { return static_cast<int>(states.size()); }
    std::int64_t total() const;
    std::int64_t bytes() const;
    int binOf(double value) const;

    /// The state of a level whose value is nearest to `value`; the lower configuration of two.
    /// Nothing for a level without values. O(level).
    std::optional<ConfigIndex> nearest(const StateGraph& graph, int step, double value) const;
    /// The state with the next greater (or smaller) value than a state's; of equal values the next
    /// configuration, so that repeated steps visit every state. Nothing at the end. O(level).
    std::optional<ConfigIndex> neighbour(const StateGraph& graph, State state,
                                         bool isGreater) const;
};

/// The sizes of the levels alone.
std::shared_ptr<const LevelDensity> levelSizes(const StateGraph& graph);

/// Looks at every state, or at one of about `stride` in each level for a first picture.
/// Null if stopped. O(states / stride) plus O(configurations of all levels / 64).
std::shared_ptr<const LevelDensity> computeLevelDensity(const Solution& solution,
                                                        const BandQuantity& quantity,
                                                        std::int64_t stride, int threads,
                                                        std::stop_token stop = {});

}  // namespace orrery
