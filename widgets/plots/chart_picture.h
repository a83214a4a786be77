#pragma once

#include <QPolygonF>
#include <QString>
#include <QVector>
#include <cstdint>
#include <vector>

#include "widgets/plots/chart_content.h"
#include "widgets/plots/chart_geometry.h"
#include "widgets/plots/chart_view.h"
#include "widgets/plots/column_bars.h"
#include "widgets/plots/seed_band.h"

namespace orrery {

/// One entry of the legend with all its lines, in pixels.
struct DrawnLine {
    SeriesHandle series = -1;  ///< -1: a group's band
    int group = -1;
    QString name;
    int color = 0;
    bool isDimmed = false;
    bool isRawBold = false;           ///< without smoothing the points themselves are the bold line
    bool isDense = false;             ///< raw is `bars`, else `rawLines`
    ColumnBars bars;                  ///< from least to most of each column
    std::vector<QPolygonF> rawLines;  ///< through every point
    std::vector<QPolygonF> bold;
    std::vector<QPolygonF> areas;  ///< bands and envelopes
    QVector<double> notFiniteAt;   ///< x of columns that hold NaN or infinities
};

/// A chart cut down to the columns of its surface.
struct DrawnChart {
    std::vector<DrawnLine> lines;
    std::int64_t points = 0;         ///< within the x range, over all series shown
    std::int64_t perColumn = 0;      ///< most points of one series in one column, on average over x
    std::int64_t perBandColumn = 0;  ///< the same of members of bands, whose columns are means
    std::int64_t notFinite = 0, notPositive = 0;  ///< within the x range
    std::int64_t medianStride = 1;
    SeriesReach bandReach;              ///< of all bands, in values
    std::int64_t smoothingMissing = 0;  ///< points that the exponential means have yet to take in
};

/// Columns and lines of what the view shows. Costs O(columns x log points) a series.
/// @param pixelRatio  of the screen: a column is one of its pixels wide
DrawnChart drawnChart(ChartContent& content, const ChartView& view, const ChartGeometry& geometry,
                      BandMaker& bands, double pixelRatio = 1);

/// Makes the exponential means follow the view's window and the points, by at most `most` points
/// over all series. @return how many are missing
std::int64_t advanceSmoothing(ChartContent& content, const SmoothingSpec& smoothing,
                              std::int64_t most);

/// The axis with its range fitted if it follows the data: x over all visible series, y over what
/// lies in the x range, and over the bands. Ranges are never empty.
AxisView fittedX(const ChartContent& content, const ChartView& view);
AxisView fittedY(const ChartContent& content, const ChartView& view, const AxisView& x,
                 const SeriesReach& bands = {});

bool isShown(const ChartContent::Entry& entry, const ChartView& view);
/// Drawn only as part of its group's band.
bool isInBand(const ChartContent::Entry& entry, const ChartView& view);

/// The bold value of a series at x: smoothed if the view smooths, else the nearest point's.
double boldValueAt(ChartContent::Entry& entry, const SmoothingSpec& smoothing, double x);
/// The point nearest to x; -1 if the series is empty.
std::int64_t nearestPoint(const Series& points, double x);
/// A group's band at x, from its members' bold values (between points on a straight line).
BandPoint bandAt(ChartContent& content, const ChartView& view, int group, double x,
                 BandMaker& bands);

}  // namespace orrery
