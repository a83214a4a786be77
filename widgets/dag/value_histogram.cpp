#include "widgets/dag/value_histogram.h"

#include <QPainter>
#include <algorithm>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr double kHistogramFoot = 16, kHistogramTop = 8, kQuartiles = 6;

}  // namespace

ValueHistogram::ValueHistogram(const QString& name, QWidget* parent) : PaintedWidget(parent) {
    setObjectName(name);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ValueHistogram::setSpread(ValueSpread spread, std::optional<double> current,
                               std::optional<double> pinned) {
    m_spread = std::move(spread);
    setMarks(current, pinned);
}

void ValueHistogram::setMarks(std::optional<double> current, std::optional<double> pinned) {
    m_current = current;
    m_pinned = pinned;
    update();
}

double ValueHistogram::xOf(double value) const {
    const double range = m_spread.max - m_spread.min;
    const double share = range > 0 ? (value - m_spread.min) / range : 0.5;
    return 4 + std::clamp(share, 0.0, 1.0) * (width() - 8);
}

QRectF ValueHistogram::binRect(int bin) const {
    const auto bins = static_cast<double>(m_spread.count.size());
    const auto most =
        static_cast<double>(std::max<std::int64_t>(1, *std::ranges::max_element(m_spread.count)));
    const double wide = (width() - 8) / bins;
    const double floor = height() - kHistogramFoot - kQuartiles;
    const auto count = static_cast<double>(m_spread.count[static_cast<std::size_t>(bin)]);
    const double tall = count > 0 ? std::max(1.5, count / most * (floor - kHistogramTop)) : 0;
    // Equal values all lie in the first bin; it stands where xOf puts them.
    const double left = m_spread.max > m_spread.min ? 4 + bin * wide : (width() - wide) / 2;
    return {left, floor - tall, std::max(1.0, wide - 1), tall};
}

void ValueHistogram::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double floor = height() - kHistogramFoot - kQuartiles;
    painter.fillRect(QRectF(4, floor, width() - 8, 1), t.chartAxis);
    if (m_spread.n == 0) return;
    for (int bin = 0; bin < std::ssize(m_spread.count); ++bin)
        painter.fillRect(binRect(bin), t.data[0]);
    // The middle half, and the median in it.
    const double low = xOf(m_spread.quantile[1]), high = xOf(m_spread.quantile[3]);
    painter.fillRect(QRectF(low, floor + 3, std::max(2.0, high - low), 3), t.text3);
    painter.fillRect(QRectF(xOf(m_spread.quantile[2]) - 1, floor + 1, 2, 7), t.text);
    const auto mark = [&](const std::optional<double>& value, const QColor& color, Qt::PenStyle s) {
        if (!value) return;
        painter.setPen(QPen(color, 2, s));
        painter.drawLine(QPointF(xOf(*value), 2), QPointF(xOf(*value), floor));
    };
    mark(m_pinned, t.data[1], Qt::DashLine);
    mark(m_current, t.accent, Qt::SolidLine);
    painter.setFont(numberFont(10));
    painter.setPen(t.text3);
    const NumberFormat format = columnFormat({m_spread.min, m_spread.max});
    const QRectF foot(4, height() - kHistogramFoot + 1, width() - 8, kHistogramFoot - 1);
    painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter, valueText(m_spread.min, format));
    if (m_spread.max > m_spread.min)
        painter.drawText(foot, Qt::AlignRight | Qt::AlignVCenter, valueText(m_spread.max, format));
}

/// A bin is as tall as the picture, so that one points at a low one as easily as at a high one.
std::vector<NamedSpot> ValueHistogram::namedSpots() const {
    std::vector<NamedSpot> spots;
    if (m_spread.n == 0) return spots;
    const auto bins = static_cast<int>(m_spread.count.size());
    const double step = (m_spread.max - m_spread.min) / bins;
    for (int bin = 0; bin < (step > 0 ? bins : 1); ++bin) {
        const double low = m_spread.min + bin * step, high = low + step;
        const std::int64_t states = m_spread.count[static_cast<std::size_t>(bin)];
        const QRectF bar = binRect(bin);
        spots.push_back(
            {QStringLiteral("bin %1").arg(bin),
             QRectF(bar.left(), 0, bar.width() + 1, height()).toRect(),
             {{QStringLiteral("low"), low},
              {QStringLiteral("high"), high},
              {QStringLiteral("states"), static_cast<qint64>(states)}},
             tr("%1 to %2: %3 states").arg(valueText(low), valueText(high), countText(states))});
    }
    return spots;
}

QJsonObject ValueHistogram::spotFacts() const {
    QJsonObject facts{{QStringLiteral("states"), static_cast<qint64>(m_spread.n)}};
    if (m_spread.n > 0) facts.insert(QStringLiteral("median"), m_spread.quantile[2]);
    if (m_current) facts.insert(QStringLiteral("current"), *m_current);
    if (m_pinned) facts.insert(QStringLiteral("pinned"), *m_pinned);
    return facts;
}

}  // namespace orrery
