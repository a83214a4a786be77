#include "widgets/world/legend_strip.h"

#include <QPainter>
#include <cmath>

#include "widgets/common/tokens.h"

namespace orrery {

LegendStrip::LegendStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("legendStrip"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void LegendStrip::setPieces(const std::vector<Piece>& pieces) {
    std::vector<PieceKey> keys = pieceKeys(pieces);
    if (keys == m_keys) return;
    m_keys = std::move(keys);
    QStringList names;
    for (const PieceKey& key : m_keys) names << key.name;
    setAccessibleDescription(names.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

int LegendStrip::heightForWidth(int width) const {
    return static_cast<int>(std::lround(pieceKeysHeight(width, m_keys)));
}

void LegendStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintPieceKeys(painter, QPointF(0, 0), width(), m_keys, currentTokens());
}

}  // namespace orrery
