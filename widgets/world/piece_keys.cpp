#include "widgets/world/piece_keys.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/world/piece_painter.h"

namespace orrery {

namespace {

constexpr int kPieceSide = 18, kPieceRow = 24, kPieceGap = 14;

QString nameOf(const Piece& p) {
    QString name = QString::fromLatin1(pieceName(p.kind));
    switch (p.kind) {
        case PieceKind::Agent:
            return p.isHuman   ? QStringLiteral("human")
                   : p.isRobot ? QStringLiteral("robot")
                               : QStringLiteral("other agent");
        case PieceKind::Door:
            return p.door == DoorState::Open     ? QStringLiteral("open door")
                   : p.door == DoorState::Closed ? QStringLiteral("closed door")
                                                 : QStringLiteral("locked door");
        case PieceKind::MagicWall:
            return p.active ? name : QStringLiteral("magic wall, solid");
        case PieceKind::Bush:
            return p.active ? name : QStringLiteral("trampled bush");
        case PieceKind::KillButton:
        case PieceKind::PauseSwitch:
        case PieceKind::ControlButton:
            return p.active ? name : name + QStringLiteral(", disabled");
        case PieceKind::Number:
            return QStringLiteral("bush density");
        default:
            return name;
    }
}

/// Calls `use` with each key's upper left corner and width; gives back the height of the rows.
template <typename Use>
double place(double width, const std::vector<PieceKey>& keys, Use use) {
    const QFontMetricsF metrics(interfaceFont(11));
    double x = 0, y = 0;
    for (const PieceKey& key : keys) {
        const double wide = kPieceSide + 6 + metrics.horizontalAdvance(key.name);
        if (x > 0 && x + wide > width) {
            x = 0;
            y += kPieceRow;
        }
        use(key, QPointF(x, y), wide);
        x += wide + kPieceGap;
    }
    return keys.empty() ? 0 : y + kPieceRow;
}

}  // namespace

std::vector<PieceKey> pieceKeys(const std::vector<Piece>& pieces) {
    std::vector<PieceKey> keys;
    for (const Piece& piece : pieces) {
        if (piece.kind == PieceKind::Floor) continue;
        PieceKey key{piece, nameOf(piece)};
        key.piece.carried = Carried::Nothing;
        if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
    std::ranges::sort(keys, {}, [](const PieceKey& k) { return std::pair(k.piece.kind, k.name); });
    return keys;
}

double paintPieceKeys(QPainter& painter, const QPointF& corner, double width,
                      const std::vector<PieceKey>& keys, const Tokens& tokens) {
    return place(width, keys, [&](const PieceKey& key, const QPointF& at, double wide) {
        const QPointF left = corner + at;
        const QRectF cell(left + QPointF(0, (kPieceRow - kPieceSide) / 2.0),
                          QSizeF(kPieceSide, kPieceSide));
        paintPiece(painter, Piece{}, cell, tokens);
        paintPiece(painter, key.piece, cell, tokens);
        painter.setFont(interfaceFont(11));
        painter.setPen(tokens.text2);
        painter.drawText(QRectF(cell.right() + 6, left.y(), wide, kPieceRow),
                         Qt::AlignLeft | Qt::AlignVCenter, key.name);
    });
}

double pieceKeysHeight(double width, const std::vector<PieceKey>& keys) {
    return place(width, keys, [](const PieceKey&, const QPointF&, double) {});
}

}  // namespace orrery
