#pragma once

#include <QColor>
#include <QPainter>
#include <QRectF>

#include "core/world/piece.h"
#include "widgets/common/tokens.h"
#include "widgets/world/piece_painter.h"

namespace orrery {

/// What every piece's drawing needs: a painter, the cell and the theme. Coordinates are fractions
/// of the cell, (0, 0) its upper left corner.
struct CellBrush {
    QPainter& painter;
    QRectF cell;
    const Tokens& tokens;
    const PieceLook& look;

    double size() const { return cell.width(); }
    bool hasDetail() const { return size() >= kDetailCell; }
    QPointF at(double x, double y) const {
        return {cell.left() + x * size(), cell.top() + y * size()};
    }
    QRectF box(double left, double top, double right, double bottom) const {
        return QRectF(at(left, top), at(right, bottom));
    }
    /// A pen whose width is a fraction of the cell, at least `leastPixels` wide.
    QPen pen(const QColor& color, double width, double leastPixels = 1.0) const {
        QPen pen(color, std::max(width * size(), leastPixels));
        pen.setCapStyle(Qt::RoundCap);
        pen.setJoinStyle(Qt::RoundJoin);
        return pen;
    }
    QColor colorOf(Color color) const { return tokens.world[static_cast<std::size_t>(color)]; }
    /// A colour for lines on a piece's own fill: white in the dark theme, near black in the light.
    QColor ink() const { return tokens.isDark ? QColor(Qt::white) : QColor(0x0E, 0x11, 0x16); }
    void line(double x1, double y1, double x2, double y2) const {
        painter.drawLine(at(x1, y1), at(x2, y2));
    }
};

void paintTerrain(const CellBrush& b, const Piece& piece);
void paintMagicWall(const CellBrush& b, const Piece& piece);
void paintDoor(const CellBrush& b, const Piece& piece);
void paintBlock(const CellBrush& b);
void paintRock(const CellBrush& b);
void paintBush(const CellBrush& b, bool isTrampled);
void paintDensity(const CellBrush& b, int density);
void paintPickable(const CellBrush& b, PieceKind kind, Color color);
void paintButton(const CellBrush& b, const Piece& piece);
void paintAgent(const CellBrush& b, const Piece& piece);

}  // namespace orrery
