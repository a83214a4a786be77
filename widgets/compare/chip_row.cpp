#include "widgets/compare/chip_row.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

/// One chip: text and a cross, as a button.
class Chip : public QPushButton {
public:
    Chip(const QString& text, QWidget* parent) : QPushButton(text, parent) {
        setFixedHeight(24);
        setCursor(Qt::PointingHandCursor);
        setToolTip(QObject::tr("Take “%1” out of the filter").arg(text));
        setAccessibleName(toolTip());
        QFontMetrics metrics(interfaceFont(11));
        setFixedWidth(metrics.horizontalAdvance(text) + 40);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Tokens& t = currentTokens();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF box = QRectF(rect()).adjusted(1, 2, -1, -2);
        painter.setPen(hasFocus() ? QPen(t.accent, 2)
                                  : QPen(underMouse() ? t.accent : mixed(t.panel, t.accent, 0.45)));
        painter.setBrush(t.currentRow);
        painter.drawRoundedRect(box, 10, 10);
        painter.setFont(interfaceFont(11));
        painter.setPen(t.text);
        painter.drawText(box.adjusted(10, 0, -20, 0), Qt::AlignVCenter | Qt::AlignLeft, text());
        painter.setPen(QPen(underMouse() ? t.text : t.text2, 1.4, Qt::SolidLine, Qt::RoundCap));
        const QPointF c(box.right() - 13, box.center().y());
        painter.drawLine(c + QPointF(-3, -3), c + QPointF(3, 3));
        painter.drawLine(c + QPointF(-3, 3), c + QPointF(3, -3));
    }
};

}  // namespace

ChipRow::ChipRow(QWidget* parent) : QWidget(parent), m_layout(new QHBoxLayout(this)) {
    setObjectName(QStringLiteral("filterChips"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(4);
    hide();
}

void ChipRow::setChips(const QStringList& chips) {
    if (chips == m_chips) return;
    m_chips = chips;
    rebuild();
}

void ChipRow::rebuild() {
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (int i = 0; i < m_chips.size(); ++i) {
        auto* chip = new Chip(m_chips[i], this);
        chip->setObjectName(QStringLiteral("chip%1").arg(i));
        connect(chip, &QPushButton::clicked, this, [this, i] { Q_EMIT removed(i); });
        m_layout->addWidget(chip);
    }
    setVisible(!m_chips.isEmpty());
}

}  // namespace orrery
