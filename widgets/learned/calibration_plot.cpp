#include "widgets/learned/calibration_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/common/color_map.h"
#include "widgets/common/figure_keys.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/common/trust_mark.h"
#include "widgets/learned/learned_figure.h"
#include "widgets/plots/axis_scale.h"

namespace orrery {

namespace {

constexpr double kPlotLeft = 52, kPlotRight = 14, kPlotTop = 10, kPlotBottom = 42, kPlotStrip = 8;
constexpr int kColumns = CalibrationBins::kColumns;
constexpr int kReach = 2;  ///< bins around the pointer that it takes

void paintRing(QPainter& painter, const QPointF& at, const QColor& color, const Tokens& t) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(t.underHeat, 4));
    painter.drawEllipse(at, 6, 6);
    painter.setPen(QPen(color, 2));
    painter.drawEllipse(at, 6, 6);
}

}  // namespace

CalibrationPlot::CalibrationPlot(QWidget* parent)
    : PaintedWidget(parent), m_shown(std::make_shared<const ShownErrors>()) {
    setObjectName(QStringLiteral("calibrationPlot"));
    setAccessibleName(tr("Learned against exact numbers"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void CalibrationPlot::show(std::shared_ptr<const ShownErrors> shown) {
    m_shown = shown ? std::move(shown) : std::make_shared<const ShownErrors>();
    m_hovered.reset();
    if (hasFigure())
        setAccessibleDescription(
            tr("%1 pairs, %2 of them defaults that no update reached")
                .arg(countText(std::ssize(pairs().exact)), countText(pairs().numUnseen)));
    update();
}

void CalibrationPlot::setCurrent(std::int64_t state) {
    m_current = state;
    update();
}

QRectF CalibrationPlot::plotIn(const QRectF& all) {
    const QRectF room = all.adjusted(kPlotLeft, kPlotTop, -kPlotRight, -kPlotBottom - kPlotStrip);
    const double side = std::max(40.0, std::min(room.width(), room.height()));
    return {room.left() + std::max(0.0, (room.width() - side) / 2), room.top(), side, side};
}

QPointF CalibrationPlot::pointOf(std::size_t pair) const {
    return pointIn(plot(), pair);
}

QPointF CalibrationPlot::pointIn(const QRectF& area, std::size_t pair) const {
    const double range = calibration().high - calibration().low;
    return {area.left() + (pairs().exact[pair] - calibration().low) / range * area.width(),
            area.bottom() - (pairs().learned[pair] - calibration().low) / range * area.height()};
}

void CalibrationPlot::paintAxes(QPainter& painter, const QRectF& area, const Tokens& t) const {
    painter.fillRect(area, t.canvas);
    painter.setFont(numberFont(10));
    for (const AxisTick& tick : axisTicks({}, calibration().low, calibration().high)) {
        const double share =
            (tick.place - calibration().low) / (calibration().high - calibration().low);
        const double x = area.left() + share * area.width();
        const double y = area.bottom() - share * area.height();
        painter.setPen(QPen(t.chartGrid, 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        if (tick.label.isEmpty()) continue;
        painter.setPen(t.text3);
        painter.drawText(QRectF(x - 30, area.bottom() + kPlotStrip + 3, 60, 14), Qt::AlignCenter,
                         tick.label);
        painter.drawText(QRectF(area.left() - 50, y - 8, 45, 16), Qt::AlignRight | Qt::AlignVCenter,
                         tick.label);
    }
    painter.setFont(interfaceFont(11));
    painter.setPen(t.text2);
    const double base = area.bottom() + kPlotStrip + 30;
    painter.drawText(QPointF(area.center().x() - 12, base), tr("exact"));
    paintTrustMark(painter, QPointF(area.center().x() - 22, base - 4), TrustKind::Exact, t);
    painter.save();
    painter.translate(area.left() - 42, area.center().y() + 24);
    painter.rotate(-90);
    painter.drawText(QPointF(0, 0), tr("learned"));
    paintTrustMark(painter, QPointF(-10, -4), TrustKind::Learned, t);
    painter.restore();
}

void CalibrationPlot::paintBins(QPainter& painter, const QRectF& area, const Tokens& t) const {
    const double size = area.width() / kColumns;
    const double scale =
        calibration().most > 1 ? 1 / std::log(static_cast<double>(calibration().most)) : 0;
    for (int row = 0; row < kColumns; ++row)
        for (int column = 0; column < kColumns; ++column) {
            const int place = row * kColumns + column;
            const CalibrationBins::Bin& bin = calibration().bins[static_cast<std::size_t>(place)];
            if (bin.count == 0) continue;
            const double shade = 0.35 + 0.65 * std::log(static_cast<double>(bin.count)) * scale;
            // More pairs stand out more on either ground.
            const QColor color = sequentialColor(t.isDark ? shade : 1 - shade);
            painter.fillRect(
                QRectF(area.left() + column * size, area.bottom() - (row + 1) * size, size, size),
                color);
        }
    for (int column = 0; column < kColumns; ++column) {
        if (calibration().unseen[static_cast<std::size_t>(column)] == 0) continue;
        paintHatching(painter,
                      QRectF(area.left() + column * size, area.bottom() + 2, size, kPlotStrip - 2),
                      t.text3);
    }
}

/// The line of equality and the pairs of the current state.
void CalibrationPlot::paintCurrent(QPainter& painter, const QRectF& area, const Tokens& t) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.ok, 1.5));
    painter.drawLine(area.bottomLeft(), area.topRight());
    if (m_current < 0 || !m_shown->pairs || m_current >= std::ssize(pairs().error)) return;
    const auto begin = static_cast<std::size_t>(m_current) * pairs().each;
    for (std::size_t i = begin; i < begin + pairs().each; ++i)
        if (pairs().isSeen[i] != 0) paintRing(painter, pointIn(area, i), t.accent, t);
}

void CalibrationPlot::paintFrame(QPainter& painter, const QRectF& area, const QPen& pen) const {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pen);
    painter.drawRect(area);
}

void CalibrationPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRectF area = plot();
    const Tokens& t = currentTokens();
    paintAxes(painter, area, t);
    if (m_shown->pairs) paintBins(painter, area, t);
    paintCurrent(painter, area, t);
    if (m_hovered) paintRing(painter, pointOf(calibration().bins[*m_hovered].pair), t.hover, t);
    paintFrame(painter, area, QPen(hasFocus() ? t.accent : t.chartAxis, hasFocus() ? 2 : 1));
}

QString CalibrationPlot::figureId() const {
    return QStringLiteral("calibration");
}

QString CalibrationPlot::figureTitle() const {
    return tr("Learned against exact: %1").arg(m_heading);
}

bool CalibrationPlot::hasFigure() const {
    return m_shown->pairs && !pairs().exact.empty();
}

void CalibrationPlot::paintFigure(QPainter& painter, const FigurePage& page) {
    const Tokens& t = *page.tokens;
    std::vector<FigureKey> keys{
        {FigureKey::Sign::Line, t.ok, tr("learned = exact")},
        {FigureKey::Sign::Box, sequentialColor(t.isDark ? 1 : 0),
         tr("up to %1 pairs in a square").arg(countText(calibration().most))}};
    if (pairs().numUnseen > 0)
        keys.push_back({FigureKey::Sign::None, t.text2,
                        tr("hatched: %1 defaults of entries never updated")
                            .arg(countText(pairs().numUnseen))});
    if (m_current >= 0) keys.push_back({FigureKey::Sign::Ring, t.accent, tr("current state")});
    const double width = page.size.width() - kPlotLeft - kPlotRight;
    const double legend = page.hasLegend ? figureKeysHeight(width, keys) + kPlotTop : 0;
    const QRectF area = plotIn(QRectF(0, 0, page.size.width(), page.size.height() - legend));
    paintAxes(painter, area, t);
    paintBins(painter, area, t);
    paintCurrent(painter, area, t);
    paintFrame(painter, area, QPen(t.chartAxis, 1));
    if (page.hasLegend)
        paintFigureKeys(painter, QPointF(kPlotLeft, page.size.height() - legend + 4), width, keys,
                        t);
}

std::optional<std::size_t> CalibrationPlot::binNear(const QPointF& at) const {
    const QRectF area = plot();
    if (!m_shown->pairs || !area.adjusted(-4, -4, 4, 4).contains(at)) return std::nullopt;
    const double size = area.width() / kColumns;
    const int column = static_cast<int>((at.x() - area.left()) / size);
    const int row = static_cast<int>((area.bottom() - at.y()) / size);
    std::optional<std::size_t> nearest;
    int least = 2 * kReach * kReach + 1;
    for (int r = std::max(0, row - kReach); r <= std::min(kColumns - 1, row + kReach); ++r)
        for (int c = std::max(0, column - kReach); c <= std::min(kColumns - 1, column + kReach);
             ++c) {
            const int place = r * kColumns + c;
            const auto bin = static_cast<std::size_t>(place);
            const int distance = (r - row) * (r - row) + (c - column) * (c - column);
            if (calibration().bins[bin].count == 0 || distance >= least) continue;
            least = distance;
            nearest = bin;
        }
    return nearest;
}

std::int64_t CalibrationPlot::stateOf(std::size_t bin) const {
    return static_cast<std::int64_t>(calibration().bins[bin].pair / pairs().each);
}

QString CalibrationPlot::tipOf(std::size_t bin) const {
    const std::size_t pair = calibration().bins[bin].pair;
    const std::size_t state = pair / pairs().each;
    const ExactError::StateError& at = m_shown->errors->error.byState[state];
    const QString& name = pairs().names[pair % pairs().each];
    QString tip = tr("Step %1, s %2%3\nexact %4, learned %5, visits %6")
                      .arg(at.state.step)
                      .arg(countText(at.state.config),
                           name.isEmpty() ? QString() : QStringLiteral(" · ") + name,
                           valueText(pairs().exact[pair], 4), valueText(pairs().learned[pair], 4),
                           countText(at.visits));
    if (calibration().bins[bin].count > 1)
        tip += tr("\nthe worst of %1 pairs here").arg(countText(calibration().bins[bin].count));
    return tip;
}

void CalibrationPlot::hover(std::optional<std::size_t> bin) {
    if (bin == m_hovered) return;
    m_hovered = bin;
    Q_EMIT hovered(bin ? stateOf(*bin) : -1);
    update();
}

void CalibrationPlot::mouseMoveEvent(QMouseEvent* event) {
    hover(binNear(event->position()));
    showTipAt(event->position());
}

QString CalibrationPlot::tipAt(const QPoint& point) const {
    const auto bin = binNear(point);
    return bin ? tipOf(*bin) : QString();
}

void CalibrationPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto bin = binNear(event->position())) Q_EMIT picked(stateOf(*bin));
}

/// Left and Right go to the next square with pairs, by exact values; Return picks it.
void CalibrationPlot::keyPressEvent(QKeyEvent* event) {
    const bool goesOn = event->key() == Qt::Key_Right;
    if (!m_shown->pairs || calibration().most == 0) return QWidget::keyPressEvent(event);
    if (event->key() == Qt::Key_Return && m_hovered) {
        Q_EMIT picked(stateOf(*m_hovered));
        return;
    }
    if (!goesOn && event->key() != Qt::Key_Left) return QWidget::keyPressEvent(event);
    const auto side = static_cast<std::size_t>(kColumns);
    const std::size_t all = side * side;
    // Column by column, in each from below.
    std::size_t at =
        m_hovered ? (*m_hovered % side) * side + *m_hovered / side : (goesOn ? all - 1 : 0);
    for (std::size_t i = 0; i < all; ++i) {
        at = (at + (goesOn ? 1 : all - 1)) % all;
        const std::size_t bin = (at % side) * side + at / side;
        if (calibration().bins[bin].count == 0) continue;
        hover(bin);
        QToolTip::showText(mapToGlobal(pointOf(calibration().bins[bin].pair).toPoint()), tipOf(bin),
                           this);
        return;
    }
}

void CalibrationPlot::leaveEvent(QEvent* event) {
    hover({});
    QWidget::leaveEvent(event);
}

std::vector<NamedSpot> CalibrationPlot::namedSpots() const {
    std::vector<NamedSpot> spots{{QStringLiteral("plot"), plot().toAlignedRect(), {}}};
    if (!m_shown->pairs) return spots;
    for (std::size_t i = 0; i < std::min<std::size_t>(20, m_shown->worst.size()); ++i) {
        const std::int64_t state = m_shown->worst[i];
        const std::size_t pair = pairs().worstOf(static_cast<std::size_t>(state));
        if (pairs().isSeen[pair] == 0) continue;
        spots.push_back({QStringLiteral("state %1").arg(state),
                         QRectF(pointOf(pair) - QPointF(2, 2), QSizeF(4, 4)).toAlignedRect(),
                         {{QStringLiteral("exact"), pairs().exact[pair]},
                          {QStringLiteral("learned"), pairs().learned[pair]}}});
    }
    return spots;
}

QJsonObject CalibrationPlot::spotFacts() const {
    if (!m_shown->pairs) return {};
    return {{QStringLiteral("pairs"), static_cast<qint64>(pairs().exact.size())},
            {QStringLiteral("unseen"), static_cast<qint64>(pairs().numUnseen)},
            {QStringLiteral("low"), calibration().low},
            {QStringLiteral("high"), calibration().high}};
}

}  // namespace orrery
