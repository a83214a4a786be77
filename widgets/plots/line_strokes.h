#pragma once

#include <QImage>
#include <QPen>
#include <QPolygonF>
#include <QRectF>
#include <vector>

#include "widgets/plots/column_bars.h"

class QPainter;

namespace orrery {

/// How lines come onto a surface.
struct StrokeTarget {
    QRectF plot;             ///< what is seen
    double columnWidth = 1;  ///< of a device pixel, in units
    bool isVector = false;   ///< lines as paths with their pens, instead of the quickest for pixels
    QImage* scratch = nullptr;  ///< memory for bars, kept from call to call
};

/// Draws pieces of a line one unit wide, antialiased.
void strokeThin(QPainter& painter, const std::vector<QPolygonF>& pieces, const QColor& color,
                const StrokeTarget& target);

/// Draws pieces of a line with a pen's width and dashes. On screen it lays the dashes itself and
/// draws single segments, some fifty times quicker than stroking a path; a line that only rushes up
/// and down is drawn as bars, its dashes laid along x. The colour is opaque.
void strokeBold(QPainter& painter, const std::vector<QPolygonF>& pieces, const QPen& pen,
                const StrokeTarget& target);

/// Draws bars, or their outline in vector output.
void strokeBars(QPainter& painter, const ColumnBars& bars, const QColor& color,
                const StrokeTarget& target);

/// Fills an area that each column crosses once; on screen as bars.
void strokeArea(QPainter& painter, const QPolygonF& area, const QColor& color,
                const StrokeTarget& target);

/// A piece cut into the dashes of a pattern (lengths on, off, on, ... in pixels; empty: solid).
QVector<QLineF> dashedSegments(const QPolygonF& piece, const std::vector<double>& pattern);

}  // namespace orrery
