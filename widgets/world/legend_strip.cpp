#include "widgets/world/legend_strip.h"

#include <QPainter>
#include <cmath>

#include "widgets/common/tokens.h"

namespace orrery {

LegendStrip::LegendStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("legendStrip"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void LegendStrip::setPieces(const std::vector<Piece>& pieces) {
    std::vector<PieceKey> keys = pieceKeys(pieces);
    if (keys == m_keys) return;
    m_keys = std::move(keys);
    QStringList names;
    for (const PieceKey& key : m_keys) names << key.name;
    setAccessibleDescription(names.join(QStringLiteral(", ")));
    setFixedHeight(heightForWidth(width()));
    update();
}

int LegendStrip::heightForWidth(int width) const {
    return static_cast<int>(std::lround(pieceKeysHeight(width, m_keys)));
}

/// Its height is set: layouts would ask for that of both strips, though one is always hidden.
void LegendStrip::resizeEvent(QResizeEvent* event) {
    setFixedHeight(heightForWidth(width()));
    QWidget::resizeEvent(event);
}

void LegendStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintPieceKeys(painter, QPointF(0, 0), width(), m_keys, currentTokens());
}

}  // namespace orrery
