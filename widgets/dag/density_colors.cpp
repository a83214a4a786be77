#include "widgets/dag/density_colors.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "widgets/common/tokens.h"

namespace orrery {

QColor densityColor(const Tokens& tokens, double count, double most) {
    static constexpr std::array<QRgb, 5> kDark = {0xFF1A2230, 0xFF23466B, 0xFF2E7CA8, 0xFF7CC9D8,
                                                  0xFFF3FBF4};
    static constexpr std::array<QRgb, 5> kLight = {0xFFEDF3F8, 0xFFB9D7E8, 0xFF5FA8CF, 0xFF1F6BA5,
                                                   0xFF0B2F5C};
    const std::array<QRgb, 5>& stops = tokens.isDark ? kDark : kLight;
    const double t =
        most > 1 ? std::clamp(std::log(std::max(1.0, count)) / std::log(most), 0.0, 1.0) : 1.0;
    const double place = t * static_cast<double>(stops.size() - 1);
    const auto below = std::min<std::size_t>(static_cast<std::size_t>(place), stops.size() - 2);
    return mixed(QColor(stops[below]), QColor(stops[below + 1]),
                 place - static_cast<double>(below));
}

}  // namespace orrery
