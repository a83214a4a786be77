#pragma once

#include <QString>
#include <QStringList>

#include "widgets/compare/compare_set.h"

namespace orrery {

class ConfigDiff;
class DifferenceView;
class IntervalPlot;
class MetricCharts;

/// What a report is made of; null members are left out.
struct ReportContent {
    const CompareSet& set;
    QStringList columns;  ///< of the table, by key
    const ConfigDiff* diff = nullptr;
    const IntervalPlot* interval = nullptr;
    MetricCharts* charts = nullptr;
    const DifferenceView* difference = nullptr;
};

/// The report as one HTML page that needs nothing else: table, config diff, interval, charts as
/// SVG, the difference picture as PNG within, and the command that repeats each run.
QString reportHtml(const ReportContent& content);

/// @throws Error (Resource) if the file cannot be written; a former one is then kept
void writeHtmlReport(const QString& file, const ReportContent& content);

}  // namespace orrery
