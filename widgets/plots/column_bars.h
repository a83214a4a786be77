#pragma once

#include <QColor>
#include <QPolygonF>
#include <QRectF>
#include <vector>

class QImage;
class QPainter;

namespace orrery {

/// A line as one upright bar a column of device pixels: what a line that rushes up and down comes
/// to. Drawn as one picture it costs the same however tall the bars are.
struct ColumnBars {
    double left = 0;                 ///< of the first column, in units
    double width = 1;                ///< of a column, in units: 1 / device pixel ratio
    std::vector<float> top, bottom;  ///< by column, in units; top > bottom: no bar

    bool isEmpty() const { return top.empty(); }
};

/// No bars over the width of a rectangle.
ColumnBars emptyBars(const QRectF& plot, double columnWidth);

/// Lets each bar reach its neighbours' and fills columns without one between two bars, except at
/// the columns where `isCut`.
void connectBars(ColumnBars& bars, const std::vector<bool>& isCut);

/// The bars that a line covers.
/// @param pattern  dashes laid along x (on, off, ... in units); empty: solid
ColumnBars barsOf(const std::vector<QPolygonF>& pieces, const QRectF& plot, double columnWidth,
                  const std::vector<double>& pattern);

/// Draws the part of the bars within a rectangle, each at least `thickness` units tall.
/// @param scratch  memory to draw into, kept from call to call; may be null
void drawBars(QPainter& painter, const ColumnBars& bars, const QRectF& plot, const QColor& color,
              double thickness, QImage* scratch);

/// The bars as lines for vector output, up one column and down the next.
std::vector<QPolygonF> outlineOf(const ColumnBars& bars);

}  // namespace orrery
