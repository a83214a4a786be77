#include "widgets/plots/axis_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace orrery {

namespace {

constexpr std::array kScaleNames = {"linear", "log", "symlog"};
QString withMinus(QString text) {
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

struct Suffix {
    double factor;
    const char* letter;
};
constexpr std::array kSuffixes = {Suffix{1e9, "G"}, Suffix{1e6, "M"}, Suffix{1e3, "k"}};

/// Decimals of a multiple of `step`.
int decimalsOf(double step) {
    int count = 0;
    while (count < 15 && std::abs(step - std::round(step)) > 1e-6 * step) {
        step *= 10;
        ++count;
    }
    return count;
}

/// How the numbers of one axis are written: all divided by one factor, with equal decimals.
class NumberStyle {
public:
    /// @param largest, step  magnitude and distance of the numbers, both above 0
    NumberStyle(double largest, double step) {
        if (largest < 1e-3 || largest >= 1e12) {
            const double exponent = std::floor(std::log10(largest) + 1e-9);
            m_factor = std::pow(10, exponent);
            m_suffix = withMinus(QStringLiteral("e%1").arg(static_cast<int>(exponent)));
        } else {
            // A letter that saves no digits only hides the number.
            for (const Suffix& suffix : kSuffixes)
                if (largest >= suffix.factor && step >= suffix.factor / 10 && largest >= 1e4) {
                    m_factor = suffix.factor;
                    m_suffix = QLatin1String(suffix.letter);
                    break;
                }
        }
        m_decimals = decimalsOf(step / m_factor);
    }

    QString text(double value) const {
        const QString number = QString::number(value / m_factor, 'f', m_decimals);
        return value == 0 ? QStringLiteral("0") : withMinus(number) + m_suffix;
    }

private:
    double m_factor = 1;
    QString m_suffix;
    int m_decimals = 0;
};

/// The next larger of 1, 2, 2.5 and 5 times a power of ten.
double nextRound(double step) {
    const double power = std::pow(10, std::floor(std::log10(step) + 1e-9));
    for (const double factor : {2.0, 2.5, 5.0})
        if (factor * power > step * (1 + 1e-9)) return factor * power;
    return 10 * power;
}

std::int64_t multiplesWithin(double step, double low, double high) {
    return static_cast<std::int64_t>(std::floor(high / step + 1e-9) -
                                     std::ceil(low / step - 1e-9)) +
           1;
}

/// The smallest round distance of which at most `most` multiples lie within.
double roundStep(double low, double high, int most) {
    double step = std::pow(10, std::floor(std::log10((high - low) / most)) - 1);
    while (multiplesWithin(step, low, high) > most) step = nextRound(step);
    return step;
}

std::vector<AxisTick> linearTicks(const AxisScale& scale, double low, double high, int most) {
    double step = roundStep(low, high, most);
    if (scale.isWhole && multiplesWithin(1, low, high) > 0) step = std::max(step, 1.0);
    if (scale.isWhole && step == 2.5) step = 5;  // the one round distance that has a half
    std::vector<double> values;
    const double first = std::ceil(low / step - 1e-9);
    for (std::int64_t k = 0; k < multiplesWithin(step, low, high); ++k) {
        const double multiple = first + static_cast<double>(k);
        values.push_back(multiple == 0 ? 0 : multiple * step);  // never a negative zero
    }
    if (values.empty()) return {};
    const NumberStyle style(std::max({std::abs(values.front()), std::abs(values.back()), step}),
                            step);
    std::vector<AxisTick> ticks;
    ticks.reserve(values.size());
    for (const double value : values) ticks.push_back({scale.place(value), style.text(value)});
    return ticks;
}

/// Mantissas of a decade that get a label, the densest first.
const std::array<std::vector<double>, 3> kMantissas = {
    std::vector<double>{1, 2, 5}, std::vector<double>{1, 3}, std::vector<double>{1}};

std::vector<AxisTick> logTicks(const AxisScale& scale, double low, double high, int most) {
    const int first = static_cast<int>(std::floor(low - 1e-9));
    const int last = static_cast<int>(std::floor(high + 1e-9));
    for (const std::vector<double>& mantissas : kMantissas) {
        std::vector<AxisTick> ticks;
        for (int k = first; k <= last; ++k)
            for (const double mantissa : mantissas) {
                const double place = k + std::log10(mantissa);
                if (place < low - 1e-9 || place > high + 1e-9) continue;
                ticks.push_back({place, axisNumber(mantissa * std::pow(10, k))});
            }
        const auto count = std::ssize(ticks);
        // Too few even so: less than a decade, on which even distances are as good.
        if (count < 3) break;
        if (count < most) return ticks;  // one less: the distances are not even
    }
    if (high - low < 2) {
        std::vector<AxisTick> ticks = linearTicks(scale, scale.value(low), scale.value(high), most);
        std::erase_if(ticks, [](const AxisTick& tick) { return !std::isfinite(tick.place); });
        return ticks;
    }
    std::vector<AxisTick> ticks;
    const int every = (last - first) / (most - 1) + 1;
    for (int k = first; k <= last; ++k)
        if (k >= low - 1e-9)
            ticks.push_back({static_cast<double>(k), (k % every + every) % every == 0
                                                         ? axisNumber(std::pow(10, k))
                                                         : QString()});
    return ticks;
}

std::vector<AxisTick> symLogTicks(const AxisScale& scale, double low, double high, int most) {
    const double least = scale.value(low);
    const double largest = std::max(std::abs(least), std::abs(scale.value(high)));
    if (largest <= 2 * scale.threshold) return linearTicks(scale, least, scale.value(high), most);
    std::vector<AxisTick> ticks;
    if (low <= 0 && high >= 0) ticks.push_back({0, QStringLiteral("0")});
    const int bottom = static_cast<int>(std::floor(std::log10(scale.threshold) + 0.5)) + 1;
    const int top = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
    const auto within = [&](int sign, int k) {
        const double place = scale.place(sign * std::pow(10, k));
        return place >= low && place <= high ? std::optional(place) : std::nullopt;
    };
    int count = 0;
    for (const int sign : {-1, 1})
        for (int k = bottom; k <= top; ++k) count += within(sign, k).has_value();
    // Too few decades in view: even distances, as far as there is a place for them.
    if (count + std::ssize(ticks) < 2) return linearTicks(scale, least, scale.value(high), most);
    const int every = std::max(1, (count + most - 2) / (most - 1));
    for (const int sign : {-1, 1})
        for (int k = bottom; k <= top; ++k)
            if (const auto place = within(sign, k))
                ticks.push_back({*place, (top - k) % every == 0 ? axisNumber(sign * std::pow(10, k))
                                                                : QString()});
    std::ranges::sort(ticks, {}, &AxisTick::place);
    return ticks;
}

/// Whether each label ends before the next one begins.
bool haveRoom(const std::vector<AxisTick>& ticks, double pixelsEach,
              const std::function<double(const QString&)>& sizeOf) {
    const AxisTick* before = nullptr;
    double sizeBefore = 0;
    for (const AxisTick& tick : ticks) {
        if (tick.label.isEmpty()) continue;
        const double size = sizeOf(tick.label);
        if (before && (tick.place - before->place) * pixelsEach < (sizeBefore + size) / 2)
            return false;
        before = &tick;
        sizeBefore = size;
    }
    return true;
}

constexpr int kMostLabels = 8, kLeastLabels = 4;
constexpr double kBareEnd = 0.08;  // of an axis, without a label
constexpr double kFewDecades = 3;

/// The nearest multiple of that part of its power of ten, on the side that is asked for.
double roundBeside(double value, double part, bool isAbove) {
    const double unit = part * std::pow(10, std::floor(std::log10(value) + 1e-9));
    const double count = value / unit;
    return (isAbove ? std::ceil(count - 1e-6) : std::floor(count + 1e-6)) * unit;
}

/// Curves end where round numbers are far apart, too: labels near the ends of few decades.
void addEndLabels(std::vector<AxisTick>& ticks, const AxisScale& scale, double low, double high,
                  double pixelsEach, const std::function<double(const QString&)>& sizeOf) {
    if (scale.kind != ScaleKind::Log || high - low >= kFewDecades || ticks.empty()) return;
    for (const bool isLow : {true, false}) {
        const double end = isLow ? low : high;
        const double gap = std::abs((isLow ? ticks.front() : ticks.back()).place - end);
        if (gap < kBareEnd * (high - low)) continue;
        for (const double part : {1.0, 0.5}) {
            if (std::ssize(ticks) >= kMostLabels) return;
            const double value = roundBeside(scale.value(end), part, isLow);
            const AxisTick tick{scale.place(value), axisNumber(value)};
            if (std::abs(tick.place - end) > gap / 2) continue;
            std::vector<AxisTick> more = ticks;
            more.insert(isLow ? more.begin() : more.end(), tick);
            if (!haveRoom(more, pixelsEach, sizeOf)) continue;
            ticks = std::move(more);
            break;
        }
    }
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

std::vector<AxisTick> axisTicks(const AxisScale& scale, double low, double high, int most) {
    if (!(high > low) || !std::isfinite(low) || !std::isfinite(high)) return {};
    switch (scale.kind) {
        case ScaleKind::Linear:
            return linearTicks(scale, low, high, most);
        case ScaleKind::Log:
            return logTicks(scale, low, high, most);
        case ScaleKind::SymLog:
            return symLogTicks(scale, low, high, most);
    }
    return {};
}

std::vector<AxisTick> axisTicksWithin(const AxisScale& scale, double low, double high,
                                      double length,
                                      const std::function<double(const QString&)>& sizeOf) {
    const double pixelsEach = length / (high - low);
    std::vector<AxisTick> ticks;
    for (int most = kMostLabels; most >= kLeastLabels; --most) {
        ticks = axisTicks(scale, low, high, most);
        if (!haveRoom(ticks, pixelsEach, sizeOf)) continue;
        addEndLabels(ticks, scale, low, high, pixelsEach, sizeOf);
        return ticks;
    }
    // The outer ones keep their labels.
    const auto first =
        std::ranges::find_if(ticks, [](auto& tick) { return !tick.label.isEmpty(); });
    auto last = first;
    for (auto tick = first; tick != ticks.end(); ++tick)
        if (!tick->label.isEmpty()) last = tick;
    for (auto tick = ticks.begin(); tick != ticks.end(); ++tick)
        if (tick != first && tick != last) tick->label.clear();
    if (first != last && !haveRoom(ticks, pixelsEach, sizeOf)) last->label.clear();
    return ticks;
}

QString axisNumber(double value) {
    if (value == 0) return QStringLiteral("0");
    const double size = std::abs(value);
    const auto exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    if (exponent < -2 || exponent >= 12)
        return withMinus(QStringLiteral("%1e%2").arg(
            QString::number(value / std::pow(10, exponent), 'g', 6), QString::number(exponent)));
    for (const Suffix& suffix : kSuffixes)
        if (size >= suffix.factor * (1 - 1e-9))
            return withMinus(QString::number(value / suffix.factor, 'g', 6)) +
                   QLatin1String(suffix.letter);
    return withMinus(QString::number(value, 'g', 6));
}

double symLogThreshold(double largest) {
    if (!(largest > 0) || !std::isfinite(largest)) return 1;
    return std::pow(10, std::floor(std::log10(largest)) - 2);
}

}  // namespace orrery
