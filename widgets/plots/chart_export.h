#pragma once

#include <QString>
#include <cstdint>

#include "widgets/common/draws_figure.h"
#include "widgets/plots/chart_content.h"
#include "widgets/plots/chart_view.h"

class QCPPainter;

namespace orrery {

/// Draws what a view shows of a chart on paper: with title, unit and, if the page has one, the
/// whole legend. The range is that of the view, fitted axes are fitted; lines are outlines of the
/// pyramid's columns.
void paintChartFigure(ChartContent& content, const ChartView& view, QCPPainter& painter,
                      const FigurePage& page);

/// Which points are written as a table.
struct DataSpec {
    bool isAll = false;  ///< all points of the lines shown, not only those in the x range
};

/// Writes points as a table, a row a point: series, x, the raw value, and the exponential mean if
/// the view has it (its header says over how much). By the file's ending .csv (RFC 4180) or .tsv;
/// UTF-8, numbers with all digits (%.17g), "nan" and "inf" as such. Uses little memory whatever the
/// number of points.
/// @return the rows written, without the header
/// @throws Error if the ending is another one or the file cannot be written
std::int64_t exportData(ChartContent& content, const ChartView& view, const QString& file,
                        const DataSpec& spec = {});

}  // namespace orrery
