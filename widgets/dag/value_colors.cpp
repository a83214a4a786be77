#include "widgets/dag/value_colors.h"

#include <algorithm>
#include <cmath>

#include "widgets/common/color_map.h"

namespace orrery {

double shownDifference(double b, double a) {
    const double difference = b - a;
    return std::abs(difference) <= 1e-13 * std::max(std::abs(a), std::abs(b)) ? 0 : difference;
}

QColor differenceColor(double difference, double most) {
    if (difference == 0 || !(most > 0) || !std::isfinite(difference)) return {};
    return divergingColor(difference / most);
}

}  // namespace orrery
