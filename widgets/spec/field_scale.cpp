#include "widgets/spec/field_scale.h"

#include <QString>
#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery {

namespace {

/// The shortest horizon's part that a slider tells from none: 1 - gamma.
constexpr double kLeastLoss = 1e-4;
constexpr double kStepFactor = 1.1, kEvenSteps = 100;
/// As far as a number goes: the run refuses what is wrong, a field never shows another number.
constexpr double kLeast = 1e-300, kMost = 1e300;

/// Halves up, as people do; the nearest number to the digits that are left.
double rounded(double value, int digits) {
    if (value == 0) return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - (digits - 1));
    return QString::number(std::round(value / unit) * unit, 'g', digits).toDouble();
}

}  // namespace

int FieldScale::place(double value) const {
    if (way == Way::Horizon) {
        if (value >= 1) return kPlaces;
        const double part = std::log((1 - low) / (1 - value)) / std::log((1 - low) / kLeastLoss);
        return std::clamp(static_cast<int>(std::lround(part * (kPlaces - 1))), 0, kPlaces - 1);
    }
    if (takesInfinity && value > high) return kPlaces;
    if (takesZero && value <= 0) return 0;
    const int first = takesZero ? 1 : 0, last = takesInfinity ? kPlaces - 1 : kPlaces;
    const double inside = std::clamp(value, low, high);
    const double share = way == Way::Log ? std::log(inside / low) / std::log(high / low)
                                         : (inside - low) / (high - low);
    return first + static_cast<int>(std::lround(share * (last - first)));
}

double FieldScale::value(int place) const {
    if (way == Way::Horizon) {
        if (place >= kPlaces) return 1;
        const double part = static_cast<double>(place) / (kPlaces - 1);
        return 1 - rounded((1 - low) * std::pow(kLeastLoss / (1 - low), part), 2);
    }
    if (takesInfinity && place >= kPlaces) return std::numeric_limits<double>::infinity();
    if (takesZero && place <= 0) return 0;
    const int first = takesZero ? 1 : 0, last = takesInfinity ? kPlaces - 1 : kPlaces;
    const double share = static_cast<double>(place - first) / (last - first);
    const double value = rounded(
        way == Way::Log ? low * std::pow(high / low, share) : std::lerp(low, high, share), digits);
    return isWhole ? std::max(std::ceil(low), std::round(value)) : value;
}

double FieldScale::stepped(double value, int steps) const {
    if (way != Way::Log) return value + steps * (high - low) / kEvenSteps;
    const double next = rounded(value * std::pow(kStepFactor, steps), digits);
    return isWhole && std::abs(next - value) < 1 ? value + steps : next;
}

FieldScale scaleOf(const RunField& field) {
    return {.low = field.slider.low,
            .high = field.slider.high,
            .way = field.slider.isLog ? FieldScale::Way::Log : FieldScale::Way::Even,
            .least = field.lowIsOpen ? kLeast : field.low,
            .most = std::min(field.high, kMost),
            .isWhole = field.type == FieldType::Integer};
}

}  // namespace orrery
