#include "widgets/world/piece_painter.h"

#include <QPainter>
#include <QPainterPath>

#include "widgets/common/style.h"
#include "widgets/world/piece_parts.h"

namespace orrery {

namespace {

bool isSmallThing(PieceKind kind) {
    return kind == PieceKind::Key || kind == PieceKind::Ball || kind == PieceKind::Box ||
           kind == PieceKind::Bush;
}

void paintFloorDisc(const CellBrush& b) {
    b.painter.setPen(Qt::NoPen);
    b.painter.setBrush(b.tokens.floor);
    b.painter.drawEllipse(b.at(0.5, 0.5), 0.44 * b.size(), 0.44 * b.size());
}

}  // namespace

void paintPiece(QPainter& painter, const Piece& piece, const QRectF& cell, const Tokens& tokens,
                const PieceLook& look) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(painter.opacity() * look.opacity);
    const CellBrush b{painter, cell, tokens, look};
    if (look.onHeat && isSmallThing(piece.kind)) paintFloorDisc(b);
    if (isTerrain(piece.kind)) paintTerrain(b, piece);
    switch (piece.kind) {
        case PieceKind::Block:
            paintBlock(b);
            break;
        case PieceKind::Rock:
            paintRock(b);
            break;
        case PieceKind::Door:
            paintDoor(b, piece);
            break;
        case PieceKind::Key:
        case PieceKind::Ball:
        case PieceKind::Box:
            paintPickable(b, piece.kind, piece.color);
            break;
        case PieceKind::MagicWall:
            paintMagicWall(b, piece);
            break;
        case PieceKind::Bush:
            paintBush(b, !piece.active);
            break;
        case PieceKind::KillButton:
        case PieceKind::PauseSwitch:
        case PieceKind::DisablingSwitch:
        case PieceKind::ControlButton:
            paintButton(b, piece);
            break;
        case PieceKind::Agent:
            paintAgent(b, piece);
            break;
        case PieceKind::Number:
            paintDensity(b, piece.number);
            break;
        default:
            break;  // terrain
    }
    painter.restore();
}

bool isTerrain(PieceKind kind) {
    switch (kind) {
        case PieceKind::Floor:
        case PieceKind::Wall:
        case PieceKind::GoalTile:
        case PieceKind::SwitchTile:
        case PieceKind::Lava:
        case PieceKind::UnsteadyGround:
            return true;
        default:
            return false;
    }
}

void paintGoalTag(QPainter& painter, const QPointF& anchor, double cellSize, const QColor& color,
                  const QString& letter, const Tokens& tokens) {
    const double h = std::clamp(0.28 * cellSize, 9.0, 18.0);
    const QFont font = interfaceFont(0.72 * h, QFont::DemiBold);
    const double textWidth = QFontMetricsF(font).horizontalAdvance(letter);
    const QRectF tag(anchor, QSizeF(textWidth + 1.35 * h, h));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tokens.isDark ? tokens.underHeat : QColor(Qt::white));
    painter.drawRoundedRect(tag, 3, 3);
    const double u = h / 14;
    const auto at = [&](double x, double y) { return tag.topLeft() + QPointF(x * u, y * u); };
    QPainterPath flag(at(4, 3));
    for (const QPointF& p :
         {at(12, 3), at(9.5, 5.5), at(12, 8), at(5.2, 8), at(5.2, 11.5), at(4, 11.5)})
        flag.lineTo(p);
    flag.closeSubpath();
    painter.setBrush(color);
    painter.drawPath(flag);
    painter.setPen(color);
    painter.setFont(font);
    painter.drawText(tag.adjusted(13.5 * u, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, letter);
    painter.restore();
}

}  // namespace orrery
