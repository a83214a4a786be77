#include "widgets/common/trust_mark.h"

#include <QPainter>

#include "widgets/common/tokens.h"

namespace orrery {

TrustMark::TrustMark(QWidget* parent) : QWidget(parent) {
    setFixedSize(12, 12);
    setToolTip(tr("exact"));
    setAccessibleName(tr("exact"));
}

void TrustMark::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(QRectF(2, 2, 8, 8), currentTokens().ok);
}

}  // namespace orrery
