#include "widgets/plots/line_strokes.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace orrery {

namespace {

constexpr double kShortest = 1;  // units; of a segment where device pixels are smaller
constexpr double kThin = 0.7;    // units; a device pixel below it is too thin for a line
constexpr double kRushing = 3;   // length of a line in widths, from which it only rushes

/// Without the care for numbers beyond 1e154 that QLineF::length() takes, at four times the cost.
double lengthOf(const QLineF& line) {
    return std::sqrt(line.dx() * line.dx() + line.dy() * line.dy());
}

double lengthOf(const QPolygonF& piece) {
    double length = 0;
    for (qsizetype i = 1; i < piece.size(); ++i) length += lengthOf(QLineF(piece[i - 1], piece[i]));
    return length;
}

/// A single point between gaps, as a dot.
void drawDot(QPainter& painter, const QPointF& at, double radius, const QColor& color) {
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(at, radius, radius);
    painter.setBrush(Qt::NoBrush);
}

/// Leaves out corners nearer than a device pixel would need: short segments lose their width.
QPolygonF thinned(const QPolygonF& piece, double distance) {
    QPolygonF kept{piece.front()};
    for (const QPointF& point : piece)
        if (std::abs(point.x() - kept.back().x()) + std::abs(point.y() - kept.back().y()) >=
            distance)
            kept.append(point);
    if (kept.back() != piece.back() || kept.size() == 1) kept.append(piece.back());
    return kept;
}

bool isRushing(const std::vector<QPolygonF>& pieces) {
    double length = 0;
    double width = 0;
    for (const QPolygonF& piece : pieces) {
        length += lengthOf(piece);
        width += std::max(20.0, piece.back().x() - piece.front().x());
    }
    return length > kRushing * width;
}

}  // namespace

QVector<QLineF> dashedSegments(const QPolygonF& piece, const std::vector<double>& pattern) {
    QVector<QLineF> segments;
    segments.reserve(piece.size());
    std::size_t part = 0;  // of the pattern; even parts are drawn
    double left = pattern.empty() ? 0 : pattern[0];
    for (qsizetype i = 1; i < piece.size(); ++i) {
        const QLineF line(piece[i - 1], piece[i]);
        if (pattern.empty()) {
            segments.append(line);
            continue;
        }
        const double length = lengthOf(line);
        double from = 0;
        while (length - from > left) {
            const double to = from + left;
            if (part % 2 == 0)
                segments.append(QLineF(line.pointAt(from / length), line.pointAt(to / length)));
            from = to;
            part = (part + 1) % pattern.size();
            left = pattern[part];
        }
        if (part % 2 == 0)
            segments.append(
                QLineF(length > 0 ? line.pointAt(from / length) : line.p1(), line.p2()));
        left -= length - from;
    }
    return segments;
}

void strokeThin(QPainter& painter, const std::vector<QPolygonF>& pieces, const QColor& color,
                const StrokeTarget& target) {
    if (!target.isVector && isRushing(pieces)) {
        drawBars(painter, barsOf(pieces, target.plot, target.columnWidth, {}), target.plot, color,
                 1, target.scratch);
        return;
    }
    const bool isCosmetic = !target.isVector && target.columnWidth > kThin;
    for (const QPolygonF& piece : pieces) {
        if (piece.size() == 1) {
            drawDot(painter, piece.front(), 1, color);
            continue;
        }
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(color, isCosmetic ? 0 : 1, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin));
        if (target.isVector || isCosmetic)
            painter.drawPolyline(piece);
        else
            painter.drawLines(dashedSegments(piece, {}));
    }
}

void strokeBold(QPainter& painter, const std::vector<QPolygonF>& pieces, const QPen& pen,
                const StrokeTarget& target) {
    std::vector<double> pattern;
    for (const double dash : pen.dashPattern()) pattern.push_back(dash * pen.widthF());
    if (!target.isVector && isRushing(pieces)) {
        drawBars(painter, barsOf(pieces, target.plot, target.columnWidth, pattern), target.plot,
                 pen.color(), pen.widthF(), target.scratch);
        return;
    }
    const QPen plain(pen.color(), pen.widthF(), Qt::SolidLine,
                     pattern.empty() ? Qt::SquareCap : Qt::FlatCap);
    for (const QPolygonF& piece : pieces) {
        if (piece.size() == 1) {
            drawDot(painter, piece.front(), pen.widthF(), pen.color());
            continue;
        }
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(target.isVector ? pen : plain);
        if (target.isVector)
            painter.drawPolyline(piece);
        else
            painter.drawLines(dashedSegments(
                target.columnWidth < kThin ? thinned(piece, kShortest) : piece, pattern));
    }
}

void strokeArea(QPainter& painter, const QPolygonF& area, const QColor& color,
                const StrokeTarget& target) {
    if (!target.isVector) {
        drawBars(painter, barsOf({area}, target.plot, target.columnWidth, {}), target.plot, color,
                 0, target.scratch);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(area);
    painter.setBrush(Qt::NoBrush);
}

void strokeBars(QPainter& painter, const ColumnBars& bars, const QColor& color,
                const StrokeTarget& target) {
    if (!target.isVector) {
        drawBars(painter, bars, target.plot, color, 1, target.scratch);
        return;
    }
    painter.setPen(QPen(color, bars.width));
    for (const QPolygonF& piece : outlineOf(bars)) painter.drawPolyline(piece);
}

}  // namespace orrery
