#pragma once

#include <vector>

namespace orrery {

/// Where the labels of a linear axis stand.
struct AxisTicks {
    std::vector<double> values;  ///< ascending multiples of 1, 2 or 5 times a power of ten
    int decimals = 0;            ///< that tell neighbouring ones apart
};

/// About `wanted` ticks (at least 2) in [low, high], low < high.
AxisTicks axisTicks(double low, double high, int wanted);

}  // namespace orrery
