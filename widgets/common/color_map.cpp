#include "widgets/common/color_map.h"

#include <algorithm>
#include <array>

#include "widgets/common/tokens.h"

namespace orrery {

QColor viridis(double t) {
    static constexpr std::array<QRgb, 10> kStops = {0x440154, 0x482878, 0x3E4A89, 0x31688E,
                                                    0x26828E, 0x1F9E89, 0x35B779, 0x6ECE58,
                                                    0xB5DE2B, 0xFDE725};
    const double position = std::clamp(t, 0.0, 1.0) * static_cast<double>(kStops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(position), kStops.size() - 2);
    return mixed(QColor::fromRgb(kStops[below]), QColor::fromRgb(kStops[below + 1]),
                 position - static_cast<double>(below));
}

}  // namespace orrery
