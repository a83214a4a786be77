#include "widgets/plots/axis_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace orrery {

namespace {

constexpr std::array kScaleNames = {"linear", "log", "symlog"};
constexpr int kMostLabels = 6;  // of decades
constexpr int kMostParts = 6;   // between round numbers

QString withMinus(QString text) {
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

/// 1, 2, 2.5 or 5 times a power of ten, so that `length` holds at most six of it.
double roundStep(double length) {
    const double raw = length / kMostParts;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0})
        if (factor * power >= raw * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

std::vector<AxisTick> linearTicks(const AxisScale& scale, double low, double high) {
    std::vector<AxisTick> ticks;
    const double step = roundStep(high - low);
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
        ticks.push_back({scale.place(k * step), axisNumber(k * step, step)});
    return ticks;
}

QString decadeLabel(int exponent) {
    if (exponent >= -2 && exponent <= 6) {
        const double value = std::pow(10, exponent);
        return axisNumber(value, value);
    }
    return withMinus(QStringLiteral("1e%1").arg(exponent));
}

std::vector<AxisTick> logTicks(const AxisScale& scale, double low, double high) {
    const int first = static_cast<int>(std::ceil(low - 1e-9));
    const int last = static_cast<int>(std::floor(high + 1e-9));
    if (last - first < 1) {  // within one decade or so: round numbers
        std::vector<AxisTick> ticks = linearTicks(scale, scale.value(low), scale.value(high));
        std::erase_if(ticks, [](const AxisTick& tick) { return !std::isfinite(tick.place); });
        return ticks;
    }
    std::vector<AxisTick> ticks;
    const int every = (last - first) / kMostLabels + 1;
    const bool hasThirds = last - first <= 2;
    for (int k = first - 1; k <= last; ++k) {
        if (k >= first)
            ticks.push_back({static_cast<double>(k),
                             (k % every + every) % every == 0 ? decadeLabel(k) : QString()});
        const double third = k + std::log10(3.0);
        if (!hasThirds || third < low || third > high) continue;
        const double value = 3 * std::pow(10, k);
        ticks.push_back({third, axisNumber(value, value)});
    }
    return ticks;
}

std::vector<AxisTick> symLogTicks(const AxisScale& scale, double low, double high) {
    const double least = scale.value(low);
    const double most = scale.value(high);
    const double largest = std::max(std::abs(least), std::abs(most));
    if (largest <= 2 * scale.threshold) return linearTicks(scale, least, most);
    std::vector<AxisTick> ticks;
    const int bottom = static_cast<int>(std::floor(std::log10(scale.threshold) + 0.5)) + 1;
    const int top = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
    const int sides = (least < 0 ? 1 : 0) + (most > 0 ? 1 : 0);
    const int every =
        std::max(1, (sides * (top - bottom + 1) + kMostLabels - 2) / (kMostLabels - 1));
    for (const int sign : {-1, 1})
        for (int k = bottom; k <= top; ++k) {
            const double place = scale.place(sign * std::pow(10, k));
            if (place < low || place > high) continue;
            const QString minus = sign < 0 ? QString(QChar(0x2212)) : QString();
            ticks.push_back({place, (top - k) % every == 0 ? minus + decadeLabel(k) : QString()});
        }
    if (low <= 0 && high >= 0) ticks.push_back({0, QStringLiteral("0")});
    std::ranges::sort(ticks, {}, &AxisTick::place);
    return ticks;
}

}  // namespace

QString nameOf(ScaleKind kind) {
    return QLatin1String(kScaleNames[static_cast<std::size_t>(kind)]);
}

std::optional<ScaleKind> scaleKindOf(const QString& name) {
    for (std::size_t i = 0; i < kScaleNames.size(); ++i)
        if (name == QLatin1String(kScaleNames[i])) return static_cast<ScaleKind>(i);
    return std::nullopt;
}

double AxisScale::place(double value) const {
    if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
    switch (kind) {
        case ScaleKind::Linear:
            return value;
        case ScaleKind::Log:
            return value > 0 ? std::log10(value) : std::numeric_limits<double>::quiet_NaN();
        case ScaleKind::SymLog:
            return std::copysign(std::log1p(std::abs(value) / threshold) / std::log(10.0), value);
    }
    return value;
}

double AxisScale::value(double place) const {
    switch (kind) {
        case ScaleKind::Linear:
            return place;
        case ScaleKind::Log:
            return std::pow(10, place);
        case ScaleKind::SymLog:
            return std::copysign(std::expm1(std::abs(place) * std::log(10.0)) * threshold, place);
    }
    return place;
}

std::vector<AxisTick> axisTicks(const AxisScale& scale, double low, double high) {
    if (!(high > low) || !std::isfinite(low) || !std::isfinite(high)) return {};
    switch (scale.kind) {
        case ScaleKind::Linear:
            return linearTicks(scale, low, high);
        case ScaleKind::Log:
            return logTicks(scale, low, high);
        case ScaleKind::SymLog:
            return symLogTicks(scale, low, high);
    }
    return {};
}

QString axisNumber(double value, double step) {
    if (std::abs(value) < 1e-9 * step) return QStringLiteral("0");
    const double size = std::abs(value);
    if (size >= 1e13 || size < 1e-4) return withMinus(QString::number(value, 'g', 3));
    struct Suffix {
        double factor, from;  ///< from this step on
        const char* letter;
    };
    static constexpr std::array kSuffixes = {Suffix{1e9, 1e8, "G"}, Suffix{1e6, 1e5, "M"},
                                             Suffix{1e3, 1e3, "k"}};
    const auto digits = [](double distance) {
        int count = 0;
        while (count < 9 && std::abs(distance - std::round(distance)) > 1e-6 * distance) {
            distance *= 10;
            ++count;
        }
        return count;
    };
    for (const Suffix& suffix : kSuffixes)
        if (step >= suffix.from * (1 - 1e-9))
            return withMinus(
                       QString::number(value / suffix.factor, 'f', digits(step / suffix.factor))) +
                   QLatin1String(suffix.letter);
    return withMinus(QString::number(value, 'f', digits(step)));
}

double symLogThreshold(double largest) {
    if (!(largest > 0) || !std::isfinite(largest)) return 1;
    return std::pow(10, std::floor(std::log10(largest)) - 2);
}

}  // namespace orrery
