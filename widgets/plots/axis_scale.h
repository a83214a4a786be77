#pragma once

#include <QString>
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

/// 3-7 labelled ticks for the places [low, high]: round numbers, decades on logarithmic stretches.
std::vector<AxisTick> axisTicks(const AxisScale& scale, double low, double high);

/// A number for an axis: "10k", "2.5M", "−0.05", "1e−3". `step` is the distance to the next label.
QString axisNumber(double value, double step);

/// The threshold for symlog that suits values up to `largest` in magnitude: three decades below.
double symLogThreshold(double largest);

}  // namespace orrery
