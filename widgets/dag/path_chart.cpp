#include "widgets/dag/path_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/symbol_text.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/axis_ticks.h"

namespace orrery {

namespace {

constexpr double kLegendWidth = 76;

}  // namespace

PathChart::PathChart(QWidget* parent) : PaintedWidget(parent) {
    setObjectName(QStringLiteral("pathChart"));
    setAccessibleName(tr("Value along the path"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void PathChart::setPoints(std::vector<PathPoint> points, const QString& symbol) {
    m_points = std::move(points);
    m_symbol = symbol;
    m_hovered = -1;
    m_low = 0;
    m_high = 0;
    for (const PathPoint& point : m_points) {
        if (!std::isfinite(point.value)) continue;  // a power that may be lost for ever
        m_low = std::min(m_low, point.value);
        m_high = std::max(m_high, point.value);
    }
    if (!(m_high > m_low)) m_low = m_high - 1;
    update();
}

void PathChart::setEmptyText(const QString& text) {
    m_emptyText = text;
    update();
}

void PathChart::setCurrent(int index) {
    m_current = index;
    update();
}

QRectF PathChart::plotRect() const {
    return QRectF(48, 12, std::max(20.0, width() - 48.0 - 20),
                  std::max(20.0, height() - 12.0 - 26));
}

QPointF PathChart::placeOf(std::size_t index) const {
    const QRectF plot = plotRect();
    const int first = m_points.front().step;
    const int last = std::max(first + 1, m_points.back().step);
    const PathPoint& point = m_points[index];
    // What has no end stands at the edge.
    const double value = std::isnan(point.value) ? m_low : std::clamp(point.value, m_low, m_high);
    return QPointF(plot.left() + plot.width() * (point.step - first) / (last - first),
                   plot.bottom() - plot.height() * (value - m_low) / (m_high - m_low));
}

double PathChart::legendY() const {
    const QRectF plot = plotRect();
    const auto room = [&](double y) {
        double least = plot.height();
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            const bool isBeside =
                i + 1 == m_points.size() || placeOf(i + 1).x() > plot.right() - kLegendWidth;
            if (isBeside) least = std::min(least, std::abs(placeOf(i).y() - y));
        }
        return least;
    };
    const double above = plot.top() + 12, below = plot.bottom() - 12;
    return room(below) >= room(above) ? below : above;
}

QRectF PathChart::ringOf(std::size_t index) const {
    return {placeOf(index) - QPointF(5.5, 5.5), QSizeF(11, 11)};
}

int PathChart::nearest(const QPointF& point) const {
    int best = -1;
    double least = 24;
    for (std::size_t i = 0; i < m_points.size(); ++i)
        if (const double distance = std::abs(placeOf(i).x() - point.x()); distance < least) {
            least = distance;
            best = static_cast<int>(i);
        }
    return best;
}

void PathChart::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.fillRect(rect(), t.canvas);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_points.empty()) {
        painter.setFont(interfaceFont(12));
        painter.setPen(t.text2);
        painter.drawText(QRectF(rect()).adjusted(16, 8, -16, -8),
                         Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    const QRectF plot = plotRect();
    painter.setFont(numberFont(10));
    const AxisTicks ticks = axisTicks(m_low, m_high, 3);
    for (const double value : ticks.values) {
        const double y = plot.bottom() - plot.height() * (value - m_low) / (m_high - m_low);
        painter.setPen(QPen(t.chartGrid, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(t.text3);
        painter.drawText(QRectF(0, y - 8, plot.left() - 8, 16), Qt::AlignRight | Qt::AlignVCenter,
                         valueText(value, ticks.decimals));
    }
    const double pitch =
        plot.width() / std::max<double>(1, static_cast<double>(m_points.size()) - 1);
    const int stride = std::max(1, static_cast<int>(std::ceil(26 / pitch)));
    QPolygonF line;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const QPointF place = placeOf(i);
        line << place;
        if (i % static_cast<std::size_t>(stride) != 0) continue;
        painter.setPen(t.text3);
        painter.drawText(QRectF(place.x() - 20, plot.bottom() + 8, 40, 14), Qt::AlignCenter,
                         QString::number(m_points[i].step));
    }
    painter.setPen(QPen(t.ok, 1.5));
    painter.drawPolyline(line);
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.ok);
    for (std::size_t i = 0; i < m_points.size(); ++i)
        painter.drawRect(QRectF(placeOf(i) - QPointF(3, 3), QSizeF(6, 6)));
    for (const auto& [index, color] : {std::pair(m_hovered, t.hover), {m_current, t.accent}}) {
        if (index < 0 || index >= std::ssize(m_points)) continue;
        painter.setPen(QPen(color, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(ringOf(static_cast<std::size_t>(index)));
    }
    const double y = legendY();
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.ok);
    painter.drawRect(QRectF(plot.right() - kLegendWidth, y - 4, 8, 8));
    painter.setPen(t.text2);
    const double width =
        paintSymbol(painter, QPointF(plot.right() - 62, y + 4), 11, m_symbol, QFont::Normal);
    painter.setFont(interfaceFont(11));
    painter.drawText(QPointF(plot.right() - 62 + width + 4, y + 4), tr("exact"));
    if (!hasFocus()) return;
    painter.setPen(QPen(t.accent, 2));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
}

void PathChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_points.empty()) return;
    if (const int index = nearest(event->position()); index >= 0) Q_EMIT picked(index);
}

void PathChart::mouseMoveEvent(QMouseEvent* event) {
    m_hovered = nearest(event->position());
    update();
}

void PathChart::leaveEvent(QEvent* event) {
    m_hovered = -1;
    update();
    QWidget::leaveEvent(event);
}

void PathChart::keyPressEvent(QKeyEvent* event) {
    const bool isLeft = event->key() == Qt::Key_Left;
    if (m_points.empty() || (!isLeft && event->key() != Qt::Key_Right))
        return QWidget::keyPressEvent(event);
    const int last = static_cast<int>(m_points.size()) - 1;
    const int to = std::clamp(m_current + (isLeft ? -1 : 1), 0, last);
    showTipAt(placeOf(static_cast<std::size_t>(to)));
    if (to != m_current) Q_EMIT picked(to);
}

QString PathChart::tipOf(std::size_t index) const {
    return tr("level %1: %2").arg(m_points[index].step).arg(valueText(m_points[index].value));
}

QString PathChart::tipAt(const QPoint& point) const {
    const int index = nearest(point);
    return index < 0 ? QString() : tipOf(static_cast<std::size_t>(index));
}

std::vector<NamedSpot> PathChart::namedSpots() const {
    std::vector<NamedSpot> spots;
    spots.reserve(m_points.size());
    for (std::size_t i = 0; i < m_points.size(); ++i)
        spots.push_back({QStringLiteral("level %1").arg(m_points[i].step),
                         ringOf(i).toAlignedRect(),
                         {{QStringLiteral("value"), m_points[i].value},
                          {QStringLiteral("current"), static_cast<int>(i) == m_current}},
                         tipOf(i)});
    return spots;
}

}  // namespace orrery
