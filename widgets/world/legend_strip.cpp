#include "widgets/world/legend_strip.h"

#include <QPainter>
#include <algorithm>

#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/world/piece_painter.h"

namespace orrery {

namespace {

constexpr int kPicture = 18, kRow = 24, kGap = 14;

QString nameOf(const Piece& p) {
    const QString name = QString::fromLatin1(pieceName(p.kind));
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

}  // namespace

LegendStrip::LegendStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("legendStrip"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void LegendStrip::setPieces(const std::vector<Piece>& pieces) {
    std::vector<Entry> entries;
    for (const Piece& piece : pieces) {
        if (piece.kind == PieceKind::Floor) continue;
        Entry entry{piece, nameOf(piece)};
        entry.piece.carried = Carried::Nothing;
        if (std::ranges::find(entries, entry) == entries.end()) entries.push_back(entry);
    }
    std::ranges::sort(entries, {}, [](const Entry& e) { return std::pair(e.piece.kind, e.name); });
    if (entries == m_entries) return;
    m_entries = std::move(entries);
    QStringList names;
    for (const Entry& entry : m_entries) names << entry.name;
    setAccessibleDescription(names.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

template <typename Use>
int LegendStrip::place(int width, Use use) const {
    const QFontMetricsF metrics(interfaceFont(11));
    double x = 0;
    int y = 0;
    for (const Entry& entry : m_entries) {
        const double wide = kPicture + 6 + metrics.horizontalAdvance(entry.name);
        if (x > 0 && x + wide > width) {
            x = 0;
            y += kRow;
        }
        use(entry, QPointF(x, y), wide);
        x += wide + kGap;
    }
    return m_entries.empty() ? 0 : y + kRow;
}

int LegendStrip::heightForWidth(int width) const {
    return place(width, [](const Entry&, const QPointF&, double) {});
}

void LegendStrip::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    place(width(), [&](const Entry& entry, const QPointF& corner, double wide) {
        const QRectF cell(corner + QPointF(0, (kRow - kPicture) / 2.0), QSizeF(kPicture, kPicture));
        paintPiece(painter, Piece{}, cell, t);
        paintPiece(painter, entry.piece, cell, t);
        painter.setFont(interfaceFont(11));
        painter.setPen(t.text2);
        painter.drawText(QRectF(cell.right() + 6, corner.y(), wide, kRow),
                         Qt::AlignLeft | Qt::AlignVCenter, entry.name);
    });
}

}  // namespace orrery
