#include "widgets/world/diverging_colors.h"

#include <algorithm>
#include <array>

#include "widgets/common/tokens.h"

namespace orrery {

QColor diverging(double t) {
    static constexpr std::array<QRgb, 9> kStops = {0x2166AC, 0x4393C3, 0x92C5DE, 0xD1E5F0, 0xF7F7F7,
                                                   0xFDDBC7, 0xF4A582, 0xD6604D, 0xB2182B};
    const double position = std::clamp(t, 0.0, 1.0) * static_cast<double>(kStops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(position), kStops.size() - 2);
    return mixed(QColor::fromRgb(kStops[below]), QColor::fromRgb(kStops[below + 1]),
                 position - static_cast<double>(below));
}

}  // namespace orrery
