#pragma once

#include <QJsonObject>
#include <QSet>
#include <QString>
#include <optional>

#include "widgets/plots/axis_scale.h"
#include "widgets/plots/smoothing.h"

namespace orrery {

enum class BandKind {
    None,       ///< every member is a line of its own
    Deviation,  ///< mean and one sample standard deviation to both sides
    Quartiles,  ///< median and the middle half
    Interval,   ///< mean and the 95 % bootstrap interval of the mean
};

/// "none", "deviation", "quartiles", "interval".
QString nameOf(BandKind kind);
std::optional<BandKind> bandKindOf(const QString& name);
/// "mean ± 1 sd over seeds", "median and quartiles over seeds", ...
QString textOf(BandKind kind);
/// What line and band are, for legends: "mean, sd"; "median, quartiles"; empty without bands.
QString shortTextOf(BandKind kind);

/// The part of an axis that is seen, in values.
struct AxisView {
    AxisScale scale;
    bool isFitted = true;  ///< the range follows the data
    double low = 0, high = 1;
    bool operator==(const AxisView&) const = default;
};

/// How a chart is looked at: all that a session restores.
struct ChartView {
    AxisView x, y;
    SmoothingSpec smoothing;
    BandKind bands = BandKind::Deviation;
    bool showsMembers = false;  ///< members of a group also as thin lines
    std::optional<double> cursorA, cursorB;
    QSet<QString> hiddenSeries;  ///< by their keys, and groups by name
    QSet<QString> hiddenEvents;  ///< by their keys, and groups by nameOf(kind)
    bool isTable = false;        ///< shown as its table twin
    bool operator==(const ChartView&) const = default;

    QJsonObject toJson() const;
    /// Fields that are missing or make no sense keep the value of a fresh view.
    static ChartView fromJson(const QJsonObject& json);
};

}  // namespace orrery
