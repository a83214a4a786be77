#include "widgets/dag/value_colors.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "widgets/common/tokens.h"

namespace orrery {

QColor divergingColor(double t) {
    static constexpr std::array<QRgb, 9> kStops = {0x2166AC, 0x4393C3, 0x92C5DE, 0xD1E5F0, 0xF7F7F7,
                                                   0xFDDBC7, 0xF4A582, 0xD6604D, 0xB2182B};
    const double position = (std::clamp(t, -1.0, 1.0) + 1) / 2 * (kStops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(position), kStops.size() - 2);
    return mixed(QColor::fromRgb(kStops[below]), QColor::fromRgb(kStops[below + 1]),
                 position - static_cast<double>(below));
}

double shownDifference(double b, double a) {
    const double difference = b - a;
    return std::abs(difference) <= 1e-13 * std::max(std::abs(a), std::abs(b)) ? 0 : difference;
}

QColor differenceColor(double difference, double most) {
    if (difference == 0 || !(most > 0) || !std::isfinite(difference)) return {};
    return divergingColor(difference / most);
}

}  // namespace orrery
