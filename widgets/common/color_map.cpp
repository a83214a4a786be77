#include "widgets/common/color_map.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <span>

#include "widgets/common/tokens.h"

namespace orrery {

namespace {

/// Linear between evenly spaced stops; `t` is clamped to [0, 1].
QColor between(std::span<const QRgb> stops, double t) {
    const double position = std::clamp(t, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(position), stops.size() - 2);
    return mixed(QColor::fromRgb(stops[below]), QColor::fromRgb(stops[below + 1]),
                 position - static_cast<double>(below));
}

std::atomic<SequentialMap>& chosenMap() {
    static std::atomic<SequentialMap> map = SequentialMap::Viridis;
    return map;
}

/// The map of a scope that is open in this thread.
std::optional<SequentialMap>& scopedMap() {
    thread_local std::optional<SequentialMap> map;
    return map;
}

}  // namespace

QColor viridis(double t) {
    static constexpr std::array<QRgb, 10> kStops = {0x440154, 0x482878, 0x3E4A89, 0x31688E,
                                                    0x26828E, 0x1F9E89, 0x35B779, 0x6ECE58,
                                                    0xB5DE2B, 0xFDE725};
    return between(kStops, t);
}

QColor cividis(double t) {
    static constexpr std::array<QRgb, 10> kStops = {0x00224E, 0x083370, 0x35456C, 0x4F576C,
                                                    0x666970, 0x7D7C78, 0x948E77, 0xAEA371,
                                                    0xC8B866, 0xFEE838};
    return between(kStops, t);
}

void setSequentialMap(SequentialMap map) {
    chosenMap() = map;
}

SequentialMap sequentialMap() {
    return scopedMap().value_or(chosenMap());
}

QColor sequentialColor(double t) {
    return sequentialMap() == SequentialMap::Cividis ? cividis(t) : viridis(t);
}

SequentialMapScope::SequentialMapScope(SequentialMap map) : m_former(scopedMap()) {
    scopedMap() = map;
}

SequentialMapScope::~SequentialMapScope() {
    scopedMap() = m_former;
}

QColor divergingColor(double t) {
    static constexpr std::array<QRgb, 9> kStops = {0x2166AC, 0x4393C3, 0x92C5DE, 0xD1E5F0, 0xF7F7F7,
                                                   0xFDDBC7, 0xF4A582, 0xD6604D, 0xB2182B};
    return between(kStops, (t + 1) / 2);
}

}  // namespace orrery
