#include "widgets/frame/drop_hint.h"

#include <QPainter>

#include "widgets/common/tokens.h"

namespace orrery {

DropHint::DropHint(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("dropHint"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropHint::paintEvent(QPaintEvent* event) {
    QWidget::paintEvent(event);
    QPainter painter(this);
    QColor fill = currentTokens().accent;
    fill.setAlphaF(0.22F);
    painter.setPen(QPen(currentTokens().accent, 2));
    painter.setBrush(fill);
    painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

}  // namespace orrery
