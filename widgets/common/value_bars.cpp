#include "widgets/common/value_bars.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/common/style.h"
#include "widgets/common/symbol_text.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr int kRowHeight = 22, kFootHeight = 18, kNumberWidth = 62;

void paintFrameMark(QPainter& painter, const QPointF& corner, const QColor& color) {
    QPen pen(color, 1.6);
    pen.setDashPattern({2, 1.4});
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(corner, QSizeF(11, 11)));
}

}  // namespace

ValueBars::ValueBars(const QString& name, QWidget* parent) : QWidget(parent) {
    setObjectName(name);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ValueBars::setBars(std::vector<ValueBar> bars, const QString& valueSymbol,
                        const QString& secondSymbol) {
    m_bars = std::move(bars);
    m_valueSymbol = valueSymbol;
    m_secondSymbol = secondSymbol;
    QStringList lines;
    for (const ValueBar& bar : m_bars) lines << bar.name + u' ' + bar.value + u' ' + bar.second;
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize ValueBars::sizeHint() const {
    const int foot = m_valueSymbol.isEmpty() ? 0 : kFootHeight;
    return QSize(260, static_cast<int>(m_bars.size()) * kRowHeight + foot);
}

void ValueBars::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool hasSecond =
        std::ranges::any_of(m_bars, [](const auto& b) { return !b.second.isEmpty(); });
    const double right = width();
    const double valueRight = right - (hasSecond ? kNumberWidth + 4 : 0);
    const double nameWidth = std::clamp(0.3 * width(), 72.0, 120.0);
    double y = 0;
    for (const ValueBar& bar : m_bars) {
        double left = 0;
        if (bar.hasFrame) {
            paintFrameMark(painter, QPointF(1, y + kRowHeight / 2.0 - 5.5), bar.color);
            left = 20;
        }
        const QFont font = interfaceFont(12, bar.isStrong ? QFont::DemiBold : QFont::Normal);
        painter.setFont(font);
        painter.setPen(bar.isStrong ? t.text : t.text2);
        painter.drawText(
            QRectF(left, y, nameWidth - left, kRowHeight), Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(font).elidedText(bar.name, Qt::ElideRight, nameWidth - left));
        const QRectF track(nameWidth + 6, y + kRowHeight / 2.0 - 4.5,
                           std::max(20.0, valueRight - kNumberWidth - nameWidth - 8), 9);
        painter.fillRect(track, t.border);
        painter.fillRect(
            QRectF(track.topLeft(),
                   QSizeF(std::max(1.0, std::clamp(bar.share, 0.0, 1.0) * track.width()),
                          track.height())),
            bar.color);
        painter.setFont(numberFont(12));
        painter.setPen(t.text);
        painter.drawText(QRectF(valueRight - kNumberWidth, y, kNumberWidth, kRowHeight),
                         Qt::AlignRight | Qt::AlignVCenter, bar.value);
        painter.setPen(t.text2);
        if (hasSecond)
            painter.drawText(QRectF(right - kNumberWidth, y, kNumberWidth, kRowHeight),
                             Qt::AlignRight | Qt::AlignVCenter, bar.second);
        y += kRowHeight;
    }
    painter.setPen(t.text3);
    const auto head = [&](const QString& symbol, double end) {
        if (!symbol.isEmpty())
            paintSymbol(painter, QPointF(end - symbolWidth(11, symbol, 400), y + 12), 11, symbol,
                        400);
    };
    head(m_valueSymbol, valueRight);
    head(m_secondSymbol, right);
}

void ValueBars::mousePressEvent(QMouseEvent* event) {
    const int bar = static_cast<int>(event->position().y()) / kRowHeight;
    if (bar >= 0 && bar < std::ssize(m_bars)) Q_EMIT picked(bar);
}

}  // namespace orrery
