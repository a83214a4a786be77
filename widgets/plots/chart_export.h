#pragma once

#include <QString>
#include <cstdint>

#include "widgets/plots/chart_content.h"
#include "widgets/plots/chart_view.h"

namespace orrery {

/// How a figure is written. Sizes are those on paper; text keeps the sizes of the screen, in which
/// a pixel is 1/96 inch.
struct FigureSpec {
    double widthMm = 120, heightMm = 70;  ///< at least 40 x 30
    double dotsPerInch = 300;             ///< of a PNG
    bool isDark = false;
};

/// Writes what a view shows of a chart, by the file's ending .png, .svg or .pdf: with title, unit,
/// legend and real text. SVG and PDF hold outlines of the pyramid's columns. The range is that of
/// the view, fitted axes are fitted.
/// @throws Error if the ending is another one, the size makes no sense or the file cannot be
/// written
void exportFigure(ChartContent& content, const ChartView& view, const QString& file,
                  const FigureSpec& spec = {});

/// Which points are written as a table.
struct DataSpec {
    bool isAll = false;  ///< all points of the lines shown, not only those in the x range
};

/// Writes points as a table, a row a point: series, x, value, and the exponential mean if the view
/// has it. By the file's ending .csv (RFC 4180) or .tsv; UTF-8, numbers with all digits (%.17g),
/// "nan" and "inf" as such. Uses little memory whatever the number of points.
/// @return the rows written, without the header
/// @throws Error if the ending is another one or the file cannot be written
std::int64_t exportData(ChartContent& content, const ChartView& view, const QString& file,
                        const DataSpec& spec = {});

}  // namespace orrery
