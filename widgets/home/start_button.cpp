#include "widgets/home/start_button.h"

#include <QPainter>

#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr int kTextLeft = 60, kTextRight = 12, kKeysGap = 16, kHeight = 58;

}  // namespace

StartButton::StartButton(const QString& icon, const QString& title, const QString& sentence,
                         const QString& keys, QWidget* parent)
    : QAbstractButton(parent), m_icon(icon), m_sentence(sentence), m_keys(keys) {
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(sentence);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

QSize StartButton::sizeHint() const {
    const int keys = QFontMetrics(numberFont(10)).horizontalAdvance(m_keys);
    return QSize(minimumSizeHint().width() + kKeysGap + keys, kHeight);
}

QSize StartButton::minimumSizeHint() const {
    const int title = QFontMetrics(interfaceFont(12.5, QFont::DemiBold)).horizontalAdvance(text());
    const int sentence = QFontMetrics(interfaceFont(11)).horizontalAdvance(m_sentence);
    return QSize(kTextLeft + std::max(title, sentence) + kTextRight, kHeight);
}

void StartButton::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isHot = underMouse() || isDown();
    painter.setPen(hasFocus() ? QPen(t.accent, 2) : QPen(isHot ? t.strongBorder : t.border, 1));
    painter.setBrush(t.raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    const QRectF badge(13, (height() - 34) / 2.0, 34, 34);
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.currentRow);
    painter.drawRoundedRect(badge, 6, 6);
    coloredIcon(m_icon, t.accent).paint(&painter, badge.toRect().adjusted(9, 9, -9, -9));
    const int left = kTextLeft, textWidth = width() - left - kTextRight;
    painter.setPen(t.text);
    painter.setFont(interfaceFont(12.5, QFont::DemiBold));
    painter.drawText(QRectF(left, 11, textWidth, 18), Qt::AlignVCenter | Qt::AlignLeft, text());
    painter.setPen(t.text2);
    painter.setFont(interfaceFont(11));
    painter.drawText(QRectF(left, 30, textWidth, 16), Qt::AlignVCenter | Qt::AlignLeft, m_sentence);
    if (m_keys.isEmpty() || width() < sizeHint().width()) return;
    painter.setPen(t.text3);
    painter.setFont(numberFont(10));
    painter.drawText(QRectF(left, 11, textWidth, 18), Qt::AlignVCenter | Qt::AlignRight, m_keys);
}

}  // namespace orrery
