#include "widgets/learned/error_bars.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/common/figure_keys.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/learned/learned_figure.h"
#include "widgets/plots/axis_scale.h"

namespace orrery {

namespace {

constexpr double kBarsLeft = 46, kBarsRight = 8, kBarsTop = 8, kBarsBottom = 30;

}  // namespace

ErrorBars::ErrorBars(const QString& name, const QString& axis, QWidget* parent)
    : PaintedWidget(parent), m_axis(axis) {
    setObjectName(name);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ErrorBars::setBins(std::vector<ErrorBin> bins) {
    m_bins = std::move(bins);
    m_most = 0;
    QStringList told;
    for (const ErrorBin& bin : m_bins) {
        if (bin.numVisited > 0) m_most = std::max(m_most, bin.visited);
        if (bin.numUnvisited > 0) m_most = std::max(m_most, bin.unvisited);
        if (told.size() < 40) told << bin.tip;
    }
    if (m_current >= std::ssize(m_bins)) m_current = -1;
    setAccessibleDescription(told.join(u'\n'));
    update();
}

void ErrorBars::setCurrent(int bin) {
    m_current = bin < std::ssize(m_bins) ? bin : -1;
    update();
}

QRectF ErrorBars::plotIn(const QRectF& all) {
    return all.adjusted(kBarsLeft, kBarsTop, -kBarsRight, -kBarsBottom);
}

QRectF ErrorBars::placeIn(const QRectF& area, std::size_t bin) const {
    const double wide = area.width() / static_cast<double>(std::max<std::size_t>(1, m_bins.size()));
    return {area.left() + static_cast<double>(bin) * wide, area.top(), wide, area.height()};
}

std::optional<std::size_t> ErrorBars::binAt(const QPointF& at) const {
    for (std::size_t i = 0; i < m_bins.size(); ++i)
        if (placeOf(i).adjusted(0, -kBarsTop, 0, kBarsBottom).contains(at)) return i;
    return std::nullopt;
}

void ErrorBars::paintBar(QPainter& painter, const QRectF& place, const ErrorBin& values,
                         const Tokens& t) const {
    const double gap = std::min(3.0, place.width() * 0.15);
    const QRectF both = place.adjusted(gap / 2, 0, -gap / 2, 0);
    const bool hasTwo = values.numVisited > 0 && values.numUnvisited > 0;
    const double wide = hasTwo ? both.width() / 2 : both.width();
    const auto bar = [&](double left, double value) {
        const double high = m_most > 0 ? std::max(1.0, value / m_most * place.height()) : 1;
        return QRectF(left, place.bottom() - high, wide, high);
    };
    if (values.numVisited > 0) painter.fillRect(bar(both.left(), values.visited), t.info);
    if (values.numUnvisited > 0) {
        const QRectF box = bar(hasTwo ? both.left() + wide : both.left(), values.unvisited);
        paintHatching(painter, box, t.text3);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(t.strongBorder, 1));
        painter.drawRect(box);
    }
}

void ErrorBars::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    const QRectF area = plotIn(rect());
    paintAll(painter, area, t);
    if (m_current >= 0) {
        painter.setPen(QPen(t.accent, 2));
        painter.drawRect(placeOf(static_cast<std::size_t>(m_current)).adjusted(1, 0, -1, 0));
    }
    if (!hasFocus()) return;
    painter.setPen(QPen(t.accent, 2));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
}

QString ErrorBars::figureId() const {
    return objectName();
}

QString ErrorBars::figureTitle() const {
    return QStringLiteral("%1: %2").arg(accessibleName(), m_heading);
}

bool ErrorBars::hasFigure() const {
    return !m_bins.empty();
}

void ErrorBars::paintFigure(QPainter& painter, const FigurePage& page) {
    const Tokens& t = *page.tokens;
    std::vector<FigureKey> keys{{FigureKey::Sign::Box, t.info, m_legend}};
    if (std::ranges::any_of(m_bins, [](const ErrorBin& bin) { return bin.numUnvisited > 0; }))
        keys.push_back({FigureKey::Sign::None, t.text2, tr("hatched: states never visited")});
    const double width = page.size.width() - kBarsLeft - kBarsRight;
    const double legend = page.hasLegend ? figureKeysHeight(width, keys) + kBarsTop : 0;
    paintAll(painter, plotIn(QRectF(0, 0, page.size.width(), page.size.height() - legend)), t);
    if (page.hasLegend)
        paintFigureKeys(painter, QPointF(kBarsLeft, page.size.height() - legend + 4), width, keys,
                        t);
}

void ErrorBars::paintAll(QPainter& painter, const QRectF& area, const Tokens& t) const {
    painter.fillRect(area, t.canvas);
    painter.setFont(numberFont(10));
    if (m_most > 0)
        for (const AxisTick& tick : axisTicks({}, 0, m_most)) {
            const double y = area.bottom() - tick.place / m_most * area.height();
            painter.setPen(QPen(t.chartGrid, 1));
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
            painter.setPen(t.text3);
            painter.drawText(QRectF(area.left() - 46, y - 8, 42, 16),
                             Qt::AlignRight | Qt::AlignVCenter, tick.label);
        }
    double free = area.left() - kBarsLeft;
    for (std::size_t i = 0; i < m_bins.size(); ++i) {
        const QRectF place = placeIn(area, i);
        paintBar(painter, place, m_bins[i], t);
        const double wide = painter.fontMetrics().horizontalAdvance(m_bins[i].label) + 8;
        const double left = place.center().x() - wide / 2;
        if (left < free) continue;
        painter.setPen(t.text3);
        painter.drawText(QRectF(left, area.bottom() + 2, wide, 13), Qt::AlignCenter,
                         m_bins[i].label);
        free = left + wide;
    }
    painter.setPen(QPen(t.chartAxis, 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setFont(interfaceFont(11));
    painter.setPen(t.text2);
    painter.drawText(QRectF(area.left(), area.bottom() + 14, area.width(), 15), Qt::AlignCenter,
                     m_axis);
}

void ErrorBars::mousePressEvent(QMouseEvent* event) {
    setFocus();
    if (const auto bin = binAt(event->position())) {
        setCurrent(static_cast<int>(*bin));
        Q_EMIT picked(m_current);
    }
}

void ErrorBars::keyPressEvent(QKeyEvent* event) {
    const int count = static_cast<int>(m_bins.size());
    const bool isLeft = event->key() == Qt::Key_Left;
    if (count == 0 || (!isLeft && event->key() != Qt::Key_Right)) {
        if (event->key() == Qt::Key_Return && m_current >= 0)
            Q_EMIT picked(m_current);
        else
            QWidget::keyPressEvent(event);
        return;
    }
    setCurrent(std::clamp(m_current + (isLeft ? -1 : 1), 0, count - 1));
    showTipAt(placeOf(static_cast<std::size_t>(m_current)).center());
}

QString ErrorBars::tipAt(const QPoint& point) const {
    const auto bin = binAt(point);
    return bin ? m_bins[*bin].tip : QString();
}

std::vector<NamedSpot> ErrorBars::namedSpots() const {
    std::vector<NamedSpot> spots;
    for (std::size_t i = 0; i < m_bins.size(); ++i) {
        const ErrorBin& bin = m_bins[i];
        spots.push_back({QStringLiteral("bar %1").arg(bin.label),
                         placeOf(i).toAlignedRect(),
                         {{QStringLiteral("visited"), static_cast<qint64>(bin.numVisited)},
                          {QStringLiteral("unvisited"), static_cast<qint64>(bin.numUnvisited)},
                          {QStringLiteral("error"), bin.visited},
                          {QStringLiteral("unvisitedError"), bin.unvisited}}});
    }
    return spots;
}

}  // namespace orrery
