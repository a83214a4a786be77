#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "widgets/compare/compare_set.h"

namespace orrery {

class ConfigDiff;
class DifferenceView;
class FigureDrawing;
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

/// A report whose pictures are drawn, but not yet turned into SVG and PNG: made in the GUI thread
/// in some milliseconds, turned into a page by any thread.
struct ReportDraft {
    /// Text, then a chart or a picture if there is one.
    struct Piece {
        QString text;
        std::shared_ptr<const FigureDrawing> chart = nullptr;
        QImage picture = {};
        QString pictureText = {};  ///< in words, as HTML; of a chart: bands and smoothing
    };
    std::vector<Piece> pieces;
};
ReportDraft draftReport(const ReportContent& content);

/// The report as one HTML page that needs nothing else: table, config diff, interval, charts as
/// SVG, the difference picture as PNG within, and the command that repeats each run. Any thread.
QByteArray reportPage(const ReportDraft& draft);

/// Writes reportPage. Any thread.
/// @throws Error (Resource) if the file cannot be written; a former one is then kept
void writeHtmlReport(const QString& file, const ReportDraft& draft);

}  // namespace orrery
