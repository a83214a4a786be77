#include <QPainterPath>
#include <numbers>

#include "widgets/common/style.h"
#include "widgets/world/piece_parts.h"

namespace orrery {

namespace {

struct BodyColors {
    QColor body, edge;
};

BodyColors colorsOf(const CellBrush& b, const Piece& piece) {
    const Tokens& t = b.tokens;
    BodyColors colors{b.colorOf(piece.color), t.robotEdge};
    if (piece.isHuman && piece.color == Color::Yellow) colors = {t.humanBody, t.humanEdge};
    if (piece.isRobot && piece.color == Color::Grey) colors = {t.robotBody, t.robotEdge};
    if (piece.terminated) {
        colors.body = mixed(t.floor, colors.body, t.isDark ? 0.42 : 0.35);
        colors.edge = b.colorOf(Color::Grey);
    }
    return colors;
}

/// A triangle that points to the direction, `reach` from the centre at its tip.
QPolygonF wedge(const CellBrush& b, int direction, double base, double reach, double half) {
    QPolygonF points;
    const auto add = [&](double along, double across) {
        static constexpr int kX[] = {1, 0, -1, 0}, kY[] = {0, 1, 0, -1};
        const int dx = kX[direction], dy = kY[direction];
        points << b.at(0.5 + dx * along - dy * across, 0.5 + dy * along + dx * across);
    };
    add(base, -half);
    add(reach, 0);
    add(base, half);
    return points;
}

/// Human: disc. Robot: rounded square. Others: hexagon.
QPainterPath bodyShape(const CellBrush& b, const Piece& piece) {
    QPainterPath shape;
    const double s = b.size();
    if (piece.isHuman) {
        shape.addEllipse(b.at(0.5, 0.5), 0.31 * s, 0.31 * s);
    } else if (piece.isRobot) {
        shape.addRoundedRect(b.box(0.22, 0.22, 0.78, 0.78), 0.08 * s, 0.08 * s);
    } else {
        QPolygonF hexagon;
        for (int i = 0; i < 6; ++i) {
            const double angle = std::numbers::pi / 3 * i;
            hexagon << b.at(0.5 + 0.33 * std::cos(angle), 0.5 + 0.33 * std::sin(angle));
        }
        shape.addPolygon(hexagon);
        shape.closeSubpath();
    }
    return shape;
}

void paintFace(const CellBrush& b, const Piece& piece, const BodyColors& colors) {
    if (piece.terminated) {
        b.painter.setPen(b.pen(b.colorOf(Color::Red), 0.075, 1.8));
        b.line(0.37, 0.37, 0.63, 0.63);
        b.line(0.37, 0.63, 0.63, 0.37);
    } else if (piece.paused) {
        b.painter.setPen(b.pen(colors.edge, 0.085, 1.8));
        b.line(0.42, 0.37, 0.42, 0.63);
        b.line(0.58, 0.37, 0.58, 0.63);
    } else if (b.hasDetail()) {
        const double factor = b.look.letter.size() > 1 ? 0.24 : 0.3;
        b.painter.setFont(interfaceFont(factor * b.size(), QFont::Bold));
        b.painter.setPen(colors.edge);
        b.painter.drawText(b.box(0.1, 0.1, 0.9, 0.9), Qt::AlignCenter, b.look.letter);
    } else if (piece.direction < 4) {
        b.painter.setPen(Qt::NoPen);
        b.painter.setBrush(colors.edge);
        b.painter.drawPolygon(wedge(b, piece.direction, -0.1, 0.2, 0.17));
    }
}

void paintHands(const CellBrush& b, const Piece& piece) {
    const QPointF centre = b.at(0.24, 0.76);
    const double r = 0.21 * b.size();
    b.painter.setPen(b.pen(b.tokens.strongBorder, 0.02, 1));
    b.painter.setBrush(b.tokens.floor);
    b.painter.drawEllipse(centre, r, r);
    const PieceLook plain;
    const CellBrush hand{b.painter, QRectF(centre - QPointF(r, r) * 0.85, QSizeF(r, r) * 1.7),
                         b.tokens, plain};
    const PieceKind kind = piece.carried == Carried::Key    ? PieceKind::Key
                           : piece.carried == Carried::Ball ? PieceKind::Ball
                                                            : PieceKind::Box;
    paintPickable(hand, kind, piece.carriedColor);
}

}  // namespace

void paintAgent(const CellBrush& b, const Piece& piece) {
    const BodyColors colors = colorsOf(b, piece);
    b.painter.setPen(b.pen(colors.edge, 0.03, 1));
    b.painter.setBrush(colors.body);
    const bool isRobot = piece.isRobot && !piece.isHuman;
    if (piece.direction < 4)
        b.painter.drawPolygon(wedge(b, piece.direction, isRobot ? 0.28 : 0.24,
                                    isRobot ? 0.43 : 0.44, isRobot ? 0.12 : 0.16));
    b.painter.drawPath(bodyShape(b, piece));
    paintFace(b, piece, colors);
    if (piece.carried != Carried::Nothing) paintHands(b, piece);
}

}  // namespace orrery
