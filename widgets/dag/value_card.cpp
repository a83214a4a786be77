#include "widgets/dag/value_card.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/common/trust_mark.h"
#include "widgets/dag/inspector_state.h"
#include "widgets/dag/value_colors.h"

namespace orrery {

NumberCard::NumberCard(InspectorState* state, const ValueOf& quantity, const QString& name,
                       QWidget* parent)
    : QFrame(parent), m_state(state), m_quantity(quantity) {
    setProperty("look", QStringLiteral("card"));
    setObjectName(name + QStringLiteral("Card"));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setToolTip(tr("Show the sum behind it"));
    const QString symbol = InspectorState::symbolOf(quantity);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(2);
    auto* top = new QHBoxLayout;
    top->addWidget(makeLabel(symbolHtml(symbol), "name", this));
    top->addStretch(1);
    top->addWidget(new TrustMark(this));
    column->addLayout(top);
    m_value = makeLabel(QStringLiteral("–"), "bigNumber", this);
    m_value->setObjectName(name);
    column->addWidget(m_value);
    m_compared = makeLabel({}, "hint", this);
    m_compared->setObjectName(name + QStringLiteral("Compared"));
    m_compared->setTextFormat(Qt::RichText);
    column->addWidget(m_compared);
    connect(state, &InspectorState::questionChanged, this, qOverload<>(&QWidget::update));
}

void NumberCard::refresh() {
    const auto b = m_state->number(m_quantity);
    const auto a = m_state->pinnedNumber(m_quantity);
    m_value->setText(b ? valueText(*b) : QStringLiteral("–"));
    setAccessibleName(InspectorState::symbolOf(m_quantity) + u' ' + m_value->text());
    const bool compares = m_state->compares() && a && b;
    m_compared->setVisible(compares);
    if (!compares) return;
    const double difference = shownDifference(*b, *a);
    const QColor fill = differenceColor(difference, std::abs(difference));
    QString text = signedText(difference, columnFormat({difference}));
    if (fill.isValid())
        text = QStringLiteral("<span style=\"background-color:%1; color:%2\">&nbsp;%3&nbsp;</span>")
                   .arg(fill.name(), textOn(fill).name(), text);
    m_compared->setText(tr("A %1 %2").arg(valueText(*a), text));
    m_compared->setToolTip(tr("A and the difference B − A"));
    m_compared->setAccessibleName(
        tr("A %1, difference %2")
            .arg(valueText(*a), signedText(difference, columnFormat({difference}))));
}

void NumberCard::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QFrame::mousePressEvent(event);
    if (m_state->number(m_quantity)) m_state->askAt(m_quantity, this, rect());
}

void NumberCard::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool asks = key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space;
    if (!asks) return QFrame::keyPressEvent(event);
    if (m_state->number(m_quantity)) m_state->askAt(m_quantity, this, rect());
}

void NumberCard::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    const bool isAsked = m_state->question() == m_quantity && m_state->number(m_quantity);
    if (!isAsked && !hasFocus()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(currentTokens().accent, hasFocus() ? 2 : 1.5));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
}

}  // namespace orrery
