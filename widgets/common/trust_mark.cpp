#include "widgets/common/trust_mark.h"

#include <QCoreApplication>
#include <QPainter>

#include "widgets/common/tokens.h"

namespace orrery {

void paintTrustMark(QPainter& painter, const QPointF& centre, TrustKind kind,
                    const Tokens& tokens) {
    const QRectF box(centre - QPointF(4, 4), QSizeF(8, 8));
    painter.save();
    painter.setPen(Qt::NoPen);
    switch (kind) {
        case TrustKind::Exact:
            painter.fillRect(box, tokens.ok);
            break;
        case TrustKind::Learned:
            painter.setBrush(tokens.info);
            painter.drawEllipse(box);
            break;
        case TrustKind::Target:
            painter.setPen(QPen(tokens.warning, 2));
            painter.drawEllipse(box.adjusted(1, 1, -1, -1));
            break;
        case TrustKind::Unseen:
            painter.setPen(QPen(tokens.strongBorder, 1));
            painter.setBrush(QBrush(tokens.text3, Qt::BDiagPattern));
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
            break;
    }
    painter.restore();
}

QString trustText(TrustKind kind) {
    switch (kind) {
        case TrustKind::Exact:
            return QCoreApplication::translate("TrustMark", "exact");
        case TrustKind::Learned:
            return QCoreApplication::translate("TrustMark", "learned");
        case TrustKind::Target:
            return QCoreApplication::translate("TrustMark", "target");
        case TrustKind::Unseen:
            return QCoreApplication::translate("TrustMark", "unseen");
    }
    return {};
}

TrustMark::TrustMark(QWidget* parent, TrustKind kind) : QWidget(parent), m_kind(kind) {
    setFixedSize(12, 12);
    setToolTip(trustText(kind));
    setAccessibleName(trustText(kind));
}

void TrustMark::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing, m_kind != TrustKind::Exact);
    paintTrustMark(painter, QPointF(6, 6), m_kind, currentTokens());
}

}  // namespace orrery
