#include <QPainterPath>

#include "widgets/common/style.h"
#include "widgets/world/piece_parts.h"

namespace orrery {

namespace {

/// A frame with a faint fill: doors and buttons.
void paintFrame(const CellBrush& b, const QRectF& box, const QColor& color, double radius,
                bool isDashed) {
    QPen pen = b.pen(color, 0.05, 1.4);
    if (isDashed) {
        pen.setCapStyle(Qt::FlatCap);
        pen.setDashPattern({1.6, 1.3});
    }
    b.painter.setPen(pen);
    b.painter.setBrush(mixed(b.tokens.floor, color, b.tokens.isDark ? 0.28 : 0.22));
    b.painter.drawRoundedRect(box, radius * b.size(), radius * b.size());
}

void paintKeyhole(const CellBrush& b) {
    b.painter.setPen(Qt::NoPen);
    b.painter.setBrush(b.ink());
    b.painter.drawEllipse(b.at(0.5, 0.44), 0.1 * b.size(), 0.1 * b.size());
    QPainterPath foot(b.at(0.46, 0.48));
    for (const QPointF& p : {b.at(0.54, 0.48), b.at(0.59, 0.7), b.at(0.41, 0.7)}) foot.lineTo(p);
    b.painter.drawPath(foot);
}

void paintKey(const CellBrush& b, const QColor& color) {
    b.painter.setBrush(Qt::NoBrush);
    b.painter.setPen(b.pen(color, 0.085, 1.6));
    b.painter.drawEllipse(b.at(0.32, 0.5), 0.15 * b.size(), 0.15 * b.size());
    QPen pen = b.pen(color, 0.085, 1.6);
    pen.setCapStyle(Qt::SquareCap);
    b.painter.setPen(pen);
    b.line(0.48, 0.5, 0.84, 0.5);
    b.line(0.84, 0.5, 0.84, 0.65);
    b.line(0.69, 0.5, 0.69, 0.62);
}

void paintBall(const CellBrush& b, const QColor& color) {
    b.painter.setPen(Qt::NoPen);
    b.painter.setBrush(color);
    b.painter.drawEllipse(b.at(0.5, 0.5), 0.28 * b.size(), 0.28 * b.size());
    if (!b.hasDetail()) return;
    b.painter.setBrush(mixed(color, Qt::white, 0.6));
    b.painter.drawEllipse(b.at(0.41, 0.4), 0.07 * b.size(), 0.07 * b.size());
}

void paintBox(const CellBrush& b, const QColor& color) {
    b.painter.setPen(b.pen(color, 0.05, 1.4));
    b.painter.setBrush(mixed(b.tokens.floor, color, 0.25));
    b.painter.drawRoundedRect(b.box(0.19, 0.19, 0.81, 0.81), 0.04 * b.size(), 0.04 * b.size());
    b.line(0.19, 0.4, 0.81, 0.4);
    b.painter.fillRect(b.box(0.44, 0.36, 0.56, 0.48), color);
}

void paintCrossMark(const CellBrush& b, const QColor& color) {
    b.painter.setPen(b.pen(color, 0.06, 1.5));
    b.line(0.34, 0.34, 0.66, 0.66);
    b.line(0.34, 0.66, 0.66, 0.34);
}

void paintBarsMark(const CellBrush& b, const QColor& color) {
    QPen pen = b.pen(color, 0.07, 1.6);
    b.painter.setPen(pen);
    b.line(0.41, 0.33, 0.41, 0.67);
    b.line(0.59, 0.33, 0.59, 0.67);
}

void paintTargetMark(const CellBrush& b, const QColor& color) {
    b.painter.setPen(b.pen(color, 0.045, 1.2));
    b.line(0.2, 0.5, 0.8, 0.5);
    b.line(0.5, 0.2, 0.5, 0.8);
    b.painter.setPen(Qt::NoPen);
    b.painter.setBrush(color);
    b.painter.drawEllipse(b.at(0.5, 0.5), 0.15 * b.size(), 0.15 * b.size());
}

void paintBannedMark(const CellBrush& b, const QColor& color) {
    b.painter.setPen(b.pen(color, 0.05, 1.4));
    b.painter.setBrush(Qt::NoBrush);
    b.painter.drawEllipse(b.at(0.5, 0.5), 0.18 * b.size(), 0.18 * b.size());
    b.line(0.38, 0.62, 0.62, 0.38);
}

void paintMark(const CellBrush& b, PieceKind kind, const QColor& color) {
    if (kind == PieceKind::KillButton)
        paintCrossMark(b, color);
    else if (kind == PieceKind::PauseSwitch)
        paintBarsMark(b, color);
    else if (kind == PieceKind::ControlButton)
        paintTargetMark(b, color);
    else
        paintBannedMark(b, color);
}

/// A disc in the upper right corner: the switch is on, the button waits.
void paintLamp(const CellBrush& b, const QColor& color) {
    b.painter.setPen(b.pen(b.tokens.floor, 0.03, 1));
    b.painter.setBrush(color);
    b.painter.drawEllipse(b.at(0.78, 0.22), 0.11 * b.size(), 0.11 * b.size());
}

/// Of a cell of size 1. Uniting shapes takes longer than drawing them.
QPainterPath bushOutline() {
    QPainterPath bush;
    for (const auto& [x, y, r] :
         {std::tuple{0.5, 0.37, 0.215}, {0.34, 0.58, 0.205}, {0.66, 0.58, 0.205}}) {
        QPainterPath lobe;
        lobe.addEllipse(QPointF(x, y), r, r);
        bush = bush.united(lobe);
    }
    return bush;
}

}  // namespace

void paintDoor(const CellBrush& b, const Piece& piece) {
    const QColor color = b.colorOf(piece.color);
    const QRectF frame = b.box(0.07, 0.07, 0.93, 0.93);
    if (piece.door == DoorState::Open) {
        QPen pen = b.pen(color, 0.045, 1.2);
        pen.setCapStyle(Qt::FlatCap);
        pen.setDashPattern({2, 1.4});
        b.painter.setPen(pen);
        b.painter.setBrush(Qt::NoBrush);
        b.painter.drawRoundedRect(frame, 0.04 * b.size(), 0.04 * b.size());
        b.painter.setPen(Qt::NoPen);
        b.painter.setBrush(color);
        b.painter.drawRoundedRect(b.box(0.06, 0.06, 0.2, 0.94), 0.04 * b.size(), 0.04 * b.size());
        return;
    }
    b.painter.setPen(b.pen(color, 0.06, 1.5));
    b.painter.setBrush(mixed(b.tokens.floor, color, b.tokens.isDark ? 0.42 : 0.3));
    b.painter.drawRoundedRect(frame, 0.04 * b.size(), 0.04 * b.size());
    if (piece.door == DoorState::Locked) {
        paintKeyhole(b);
    } else {
        b.painter.setPen(Qt::NoPen);
        b.painter.setBrush(b.ink());
        b.painter.drawEllipse(b.at(0.74, 0.5), 0.065 * b.size(), 0.065 * b.size());
    }
}

void paintBlock(const CellBrush& b) {
    const QColor body = b.tokens.isDark ? QColor(0xA8, 0x78, 0x48) : QColor(0xBC, 0x82, 0x4C);
    const QColor edge = b.tokens.isDark ? QColor(0xD9, 0xA8, 0x78) : QColor(0x6B, 0x42, 0x1A);
    b.painter.setPen(b.pen(edge, 0.045, 1.2));
    b.painter.setBrush(body);
    b.painter.drawRoundedRect(b.box(0.13, 0.13, 0.87, 0.87), 0.05 * b.size(), 0.05 * b.size());
    if (!b.hasDetail()) return;
    b.painter.setPen(b.pen(edge, 0.03, 1));
    b.line(0.25, 0.25, 0.75, 0.75);
    b.line(0.25, 0.75, 0.75, 0.25);
}

void paintRock(const CellBrush& b) {
    const QColor body = b.tokens.isDark ? QColor(0x7E, 0x89, 0x96) : QColor(0x8C, 0x96, 0xA3);
    const QColor edge = b.tokens.isDark ? QColor(0xC3, 0xCC, 0xD8) : QColor(0x4A, 0x53, 0x60);
    const QPolygonF outline{b.at(0.46, 0.17), b.at(0.75, 0.25), b.at(0.87, 0.52), b.at(0.77, 0.8),
                            b.at(0.46, 0.86), b.at(0.2, 0.72),  b.at(0.14, 0.46), b.at(0.25, 0.27)};
    b.painter.setPen(b.pen(edge, 0.035, 1));
    b.painter.setBrush(body);
    b.painter.drawPolygon(outline);
    if (!b.hasDetail()) return;
    b.painter.setPen(b.pen(edge, 0.022, 1));
    b.painter.drawPolyline(QPolygonF{b.at(0.25, 0.27), b.at(0.5, 0.44), b.at(0.75, 0.25)});
    b.painter.drawPolyline(QPolygonF{b.at(0.5, 0.44), b.at(0.56, 0.85)});
}

void paintBush(const CellBrush& b, bool isTrampled) {
    const QColor line = b.tokens.isDark ? QColor(0x7F, 0xD9, 0xA0) : QColor(0x17, 0x5E, 0x37);
    const QColor leaf = b.tokens.isDark ? QColor(0x2F, 0x8E, 0x57) : QColor(0x35, 0x9C, 0x60);
    if (isTrampled) {
        b.painter.setBrush(Qt::NoBrush);
        b.painter.setPen(b.pen(line, 0.04, 1.1));
        for (const auto& [x, y] : {std::pair{0.22, 0.68}, {0.44, 0.72}, {0.66, 0.68}}) {
            QPainterPath blade(b.at(x, y));
            blade.quadTo(b.at(x + 0.04, y - 0.16), b.at(x + 0.17, y - 0.13));
            b.painter.drawPath(blade);
        }
        QPen ground = b.pen(line, 0.04, 1.1);
        ground.setDashPattern({3, 2.2});
        b.painter.setPen(ground);
        b.line(0.17, 0.8, 0.83, 0.8);
        return;
    }
    static const QPainterPath kOutline = bushOutline();
    QTransform toCell = QTransform::fromTranslate(b.cell.left(), b.cell.top());
    toCell.scale(b.size(), b.size());
    b.painter.setPen(b.pen(line, 0.035, 1));
    b.painter.setBrush(leaf);
    b.painter.drawPath(toCell.map(kOutline));
}

void paintDensity(const CellBrush& b, int density) {
    if (density > 0) paintBush(b, false);
    if (density > 0 && b.hasDetail()) {
        b.painter.setFont(numberFont(0.28 * b.size(), QFont::DemiBold));
        b.painter.setPen(Qt::white);
        b.painter.drawText(b.box(0, 0.06, 1, 1), Qt::AlignCenter, QString::number(density));
    }
}

void paintPickable(const CellBrush& b, PieceKind kind, Color color) {
    if (kind == PieceKind::Key)
        paintKey(b, b.colorOf(color));
    else if (kind == PieceKind::Ball)
        paintBall(b, b.colorOf(color));
    else
        paintBox(b, b.colorOf(color));
}

void paintButton(const CellBrush& b, const Piece& piece) {
    QColor color = b.colorOf(Color::Grey);
    if (piece.active && piece.kind == PieceKind::KillButton) color = b.colorOf(Color::Red);
    if (piece.active && piece.kind == PieceKind::PauseSwitch) color = b.colorOf(Color::Yellow);
    if (piece.active && piece.kind == PieceKind::ControlButton) color = b.colorOf(Color::Blue);
    paintFrame(b, b.box(0.09, 0.09, 0.91, 0.91), color, 0.12, !piece.active);
    paintMark(b, piece.kind, color);
    if (piece.on) paintLamp(b, b.colorOf(Color::Red));
    if (piece.kind == PieceKind::DisablingSwitch && piece.target >= 0 && b.hasDetail()) {
        const PieceLook plain;
        const CellBrush corner{b.painter, b.box(0.58, 0.58, 0.9, 0.9), b.tokens, plain};
        b.painter.setPen(Qt::NoPen);
        b.painter.setBrush(b.tokens.floor);
        b.painter.drawEllipse(corner.cell);
        paintMark(corner, static_cast<PieceKind>(piece.target), b.ink());
    }
    if (piece.kind == PieceKind::ControlButton && piece.number >= 0 && b.hasDetail()) {
        b.painter.setFont(numberFont(0.2 * b.size(), QFont::DemiBold));
        b.painter.setPen(b.ink());
        b.painter.drawText(b.box(0.12, 0.66, 0.88, 0.92), Qt::AlignRight | Qt::AlignVCenter,
                           QString::number(piece.number));
    }
}

}  // namespace orrery
