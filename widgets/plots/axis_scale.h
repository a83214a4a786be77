#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <vector>

namespace orrery {

enum class ScaleKind { Linear, Log, SymLog };

/// "linear", "log", "symlog".
QString nameOf(ScaleKind kind);
std::optional<ScaleKind> scaleKindOf(const QString& name);

/// Maps values to places on an axis: linear v; log lg v for v > 0; symlog sign(v) lg(1 + |v| / c),
/// which is straight near zero and logarithmic beyond c.
struct AxisScale {
    ScaleKind kind = ScaleKind::Linear;
    double threshold = 1;  ///< c of symlog, > 0
    bool isWhole = false;  ///< labels are whole numbers, as of steps, wherever one is in view
    bool operator==(const AxisScale&) const = default;

    /// The place of a value; NaN if it has none (not finite, or <= 0 on a logarithmic axis).
    double place(double value) const;
    double value(double place) const;
};

/// A labelled tick.
struct AxisTick {
    double place = 0;
    QString label;  ///< empty: a mark without a label
};

/// Ticks for the places [low, high], of them 2 to `most` labelled where the range of doubles has so
/// many: round numbers, on logarithmic stretches decades and parts of them. No two labels are
/// equal; those of even distances have one suffix or power of ten in common.
/// @param most  at least 4
std::vector<AxisTick> axisTicks(const AxisScale& scale, double low, double high, int most = 7);

/// As many of these ticks as find room on an axis of this length in pixels.
/// @param sizeOf  the pixels that a label takes along the axis, with its distance to the next one
std::vector<AxisTick> axisTicksWithin(const AxisScale& scale, double low, double high,
                                      double length,
                                      const std::function<double(const QString&)>& sizeOf);

/// A number by itself: "10k", "2.5M", "−0.05", "1e−5".
QString axisNumber(double value);

/// The threshold for symlog that suits values up to `largest` in magnitude: three decades below.
double symLogThreshold(double largest);

}  // namespace orrery
