#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/world/piece_parts.h"

namespace orrery {

namespace {

constexpr double kLargestBrick = 64;  ///< pixels

/// Joints of a wall of two courses; of more in a large cell, where bricks stay bricks.
void paintBricks(const CellBrush& b, const QColor& joint) {
    const int times = std::max(1, static_cast<int>(std::ceil(b.size() / kLargestBrick)));
    const double part = 1.0 / times;
    b.painter.setPen(
        QPen(joint, std::max(1.0, 0.02 * b.size() * part), Qt::SolidLine, Qt::FlatCap));
    for (int row = 0; row < times; ++row) {
        const double top = row * part;
        if (row > 0) b.line(0, top, 1, top);
        b.line(0, top + 0.5 * part, 1, top + 0.5 * part);
        for (int column = 0; column < times; ++column) {
            const double left = column * part;
            b.line(left + 0.3 * part, top, left + 0.3 * part, top + 0.5 * part);
            b.line(left + 0.7 * part, top + 0.5 * part, left + 0.7 * part, top + part);
        }
    }
}

void paintWall(const CellBrush& b) {
    const QColor wall = b.tokens.wall;
    b.painter.fillRect(b.cell, wall);
    if (b.hasDetail()) paintBricks(b, wall.darker(128));
    b.painter.fillRect(b.box(0, 0, 1, 0.06), wall.lighter(124));
    b.painter.fillRect(b.box(0, 0.95, 1, 1), wall.darker(122));
}

QPainterPath wave(const CellBrush& b, double y, int bumps, double height, bool isSharp) {
    const double left = 0.07, width = 0.86 / bumps;
    QPainterPath path(b.at(left, y + height / 2));
    for (int i = 0; i < bumps; ++i) {
        const double x = left + i * width;
        if (isSharp) {
            path.lineTo(b.at(x + width / 2, y - height / 2));
            path.lineTo(b.at(x + width, y + height / 2));
        } else {
            path.cubicTo(b.at(x + width * 0.25, y - height), b.at(x + width * 0.4, y - height),
                         b.at(x + width * 0.5, y));
            path.cubicTo(b.at(x + width * 0.6, y + height), b.at(x + width * 0.8, y + height),
                         b.at(x + width, y + height / 2 * (i + 1 < bumps ? 1 : 0)));
        }
    }
    return path;
}

void paintWaves(const CellBrush& b, const QColor& color, bool isSharp) {
    b.painter.setBrush(Qt::NoBrush);
    b.painter.setPen(b.pen(color, 0.045, 1.2));
    const int bumps = b.hasDetail() && !isSharp ? 3 : 2;
    for (const double y : {0.27, 0.52, 0.77})
        b.painter.drawPath(wave(b, y, bumps, isSharp ? 0.13 : 0.12, isSharp));
}

void paintFloor(const CellBrush& b) {
    b.painter.fillRect(b.cell, b.tokens.floor);
    b.painter.setPen(QPen(b.tokens.floorLine, 1));
    b.painter.setBrush(Qt::NoBrush);
    b.painter.drawRect(b.cell);
}

void paintSwitchTile(const CellBrush& b) {
    const QColor color = b.colorOf(Color::Grey);
    b.painter.setPen(b.pen(color, 0.045, 1.2));
    b.painter.setBrush(Qt::NoBrush);
    b.painter.drawRoundedRect(b.box(0.19, 0.19, 0.81, 0.81), 0.07 * b.size(), 0.07 * b.size());
    b.painter.setPen(Qt::NoPen);
    b.painter.setBrush(color);
    b.painter.drawRoundedRect(b.box(0.36, 0.36, 0.64, 0.64), 0.04 * b.size(), 0.04 * b.size());
}

void paintCross(const CellBrush& b, const QColor& color, double reach) {
    b.painter.setPen(b.pen(color, 0.06, 1.5));
    b.line(0.5 - reach, 0.5 - reach, 0.5 + reach, 0.5 + reach);
    b.line(0.5 - reach, 0.5 + reach, 0.5 + reach, 0.5 - reach);
}

void paintStar(const CellBrush& b, const QColor& color) {
    const double r = b.hasDetail() ? 0.2 : 0.24;
    QPainterPath star(b.at(0.5, 0.5 - r));
    const double w = 0.055;
    for (const QPointF& p :
         {b.at(0.5 + w, 0.5 - w), b.at(0.5 + r, 0.5), b.at(0.5 + w, 0.5 + w), b.at(0.5, 0.5 + r),
          b.at(0.5 - w, 0.5 + w), b.at(0.5 - r, 0.5), b.at(0.5 - w, 0.5 - w)})
        star.lineTo(p);
    star.closeSubpath();
    b.painter.setPen(Qt::NoPen);
    b.painter.setBrush(color);
    b.painter.drawPath(star);
}

}  // namespace

void paintTerrain(const CellBrush& b, const Piece& piece) {
    const Tokens& t = b.tokens;
    switch (piece.kind) {
        case PieceKind::Wall:
            paintWall(b);
            break;
        case PieceKind::GoalTile: {
            const QColor color = b.colorOf(piece.color == Color::Grey ? Color::Green : piece.color);
            if (b.look.onHeat) {
                b.painter.setPen(b.pen(color, 0.05, 1.5));
                b.painter.setBrush(Qt::NoBrush);
                b.painter.drawRect(b.box(0.04, 0.04, 0.96, 0.96));
            } else {
                b.painter.fillRect(b.cell, mixed(t.floor, color, t.isDark ? 0.36 : 0.3));
            }
            break;
        }
        case PieceKind::Lava:
            b.painter.fillRect(b.cell,
                               t.isDark ? QColor(0xB8, 0x3A, 0x1C) : QColor(0xE8, 0x62, 0x3A));
            paintWaves(b, t.isDark ? QColor(0xFF, 0xC8, 0x7A) : QColor(0xFF, 0xE3, 0xB8), false);
            break;
        case PieceKind::UnsteadyGround: {
            const QColor purple = b.colorOf(Color::Purple);
            if (!b.look.onHeat) b.painter.fillRect(b.cell, mixed(t.floor, purple, 0.18));
            paintWaves(b, b.look.onHeat ? QColor(255, 255, 255, 150) : mixed(t.floor, purple, 0.7),
                       true);
            break;
        }
        case PieceKind::SwitchTile:
            if (!b.look.onHeat) paintFloor(b);
            paintSwitchTile(b);
            break;
        default:
            if (!b.look.onHeat) paintFloor(b);
            break;
    }
}

void paintMagicWall(const CellBrush& b, const Piece& piece) {
    if (!piece.active) {
        paintWall(b);
        paintCross(b, Qt::white, 0.15);
        return;
    }
    const Tokens& t = b.tokens;
    const QColor wall = t.isDark ? QColor(0x83, 0x6F, 0xA6) : QColor(0x7B, 0x66, 0xA4);
    const QColor strong = t.isDark ? QColor(0xE3, 0xC8, 0xFF) : QColor(0x4A, 0x1F, 0x96);
    b.painter.fillRect(b.cell, wall);
    if (b.hasDetail()) paintBricks(b, wall.darker(140));
    const double w = b.hasDetail() ? 0.1 : 0.16;
    const bool isAll = piece.magicSide >= 4;
    if (isAll || piece.magicSide == 0) b.painter.fillRect(b.box(1 - w, 0, 1, 1), strong);
    if (isAll || piece.magicSide == 1) b.painter.fillRect(b.box(0, 1 - w, 1, 1), strong);
    if (isAll || piece.magicSide == 2) b.painter.fillRect(b.box(0, 0, w, 1), strong);
    if (isAll || piece.magicSide == 3) b.painter.fillRect(b.box(0, 0, 1, w), strong);
    paintStar(b, strong);
}

}  // namespace orrery
