#include "widgets/dag/axis_ticks.h"

#include <algorithm>
#include <cmath>

namespace orrery {

AxisTicks axisTicks(double low, double high, int wanted) {
    const double rough = (high - low) / std::max(1, wanted);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0})
        if (factor * power >= rough * 0.75) step = factor * power;
    AxisTicks ticks;
    ticks.decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    const double slack = (high - low) * 1e-9;
    for (double k = std::ceil((low - slack) / step); k * step <= high + slack; ++k)
        ticks.values.push_back(k == 0 ? 0.0 : k * step);
    return ticks;
}

}  // namespace orrery
