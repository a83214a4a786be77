#include "widgets/train/metric_text.h"

#include "core/run/run_kind.h"
#include "widgets/common/number_text.h"

namespace orrery {

namespace {

QString titleOf(const CurveChart& chart, const CurveChart::Line& line) {
    return QStringLiteral("%1 · %2").arg(plainSymbol(QString::fromStdString(chart.title)),
                                         plainSymbol(QString::fromStdString(line.name)));
}

}  // namespace

QString metricTitle(const RunKind& kind, const QString& metric) {
    for (const CurveChart& chart : kind.display.charts)
        for (const CurveChart::Line& line : chart.lines)
            if (metric == QLatin1String(line.curve)) return titleOf(chart, line);
    return metric;
}

QString metricOfTitle(const RunKind& kind, const QString& title) {
    for (const CurveChart& chart : kind.display.charts)
        for (const CurveChart::Line& line : chart.lines)
            if (title == titleOf(chart, line)) return QString::fromStdString(line.curve);
    return title;
}

}  // namespace orrery
