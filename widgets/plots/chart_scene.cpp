#include "widgets/plots/chart_scene.h"

#include <QWidget>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/qcustomplot_include.h"
#include "widgets/plots/scene_layers.h"

namespace orrery {

namespace {

constexpr int kLeft = 52, kRight = 16, kTop = 36, kBottom = 26, kFooter = 16;
constexpr int kFooterFrom = 240;  // height from which a chart always has its footer
constexpr double kTickSize = 10, kTickHeight = 16, kTickGap = 14;  // labels of axes
constexpr int kTickLength = 4, kTickPadding = 4;                   // of x
constexpr double kMostLeft = 120;
constexpr double kLegendSample = 18;
constexpr int kLegendRow = 18;  // height of a row below the title
constexpr double kLegendSize = 11;

/// Ticks that were made beforehand, on an axis whose numbers are places.
class MadeTicker : public QCPAxisTicker {
public:
    explicit MadeTicker(std::vector<AxisTick> ticks) : m_ticks(std::move(ticks)) {}

    void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                  QVector<double>* subTicks, QVector<QString>* labels) override {
        ticks.clear();
        if (subTicks) subTicks->clear();
        if (labels) labels->clear();
        for (const AxisTick& tick : m_ticks) {
            if (tick.place < range.lower || tick.place > range.upper) continue;
            ticks.append(tick.place);
            if (labels) labels->append(tick.label);
        }
    }

private:
    std::vector<AxisTick> m_ticks;
};

std::vector<double> widthsOf(const std::vector<LegendEntry>& entries) {
    std::vector<double> widths;
    widths.reserve(entries.size());
    for (const LegendEntry& entry : entries)
        widths.push_back(kLegendSample + 6 + wordsWidth(kLegendSize, entry.name, 400) + 14);
    return widths;
}

/// A plot that waits for the scene's frame where the library would draw at once, and twice then.
class PatientPlot : public QCustomPlot {
public:
    using QCustomPlot::QCustomPlot;

protected:
    void resizeEvent(QResizeEvent*) override { setViewport(rect()); }
};

/// What moves, above the plot: a move of it repaints only where it was and is.
class OverlayWidget : public QWidget {
public:
    OverlayWidget(const ChartScene& scene, QWidget* parent) : QWidget(parent), m_scene(scene) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        drawSceneOverlay(painter, m_scene);
    }

private:
    const ChartScene& m_scene;
};

void styleChartAxis(QCPAxis& axis, const Tokens& tokens, bool isHorizontal) {
    // Without a pen SVG would show a dot at each tick of no length.
    const QPen pen(isHorizontal ? tokens.chartAxis : QColor(Qt::transparent), 1);
    axis.setBasePen(pen);
    axis.setTickPen(pen);
    axis.setSubTickPen(Qt::NoPen);
    axis.setTickLength(0, isHorizontal ? kTickLength : 0);
    axis.setTickLabelFont(numberFont(kTickSize));
    axis.setTickLabelColor(tokens.text2);
    axis.setTickLabelPadding(isHorizontal ? kTickPadding : 6);
    axis.grid()->setVisible(!isHorizontal);
    axis.grid()->setPen(QPen(tokens.chartGrid, 1));
    axis.grid()->setZeroLinePen(QPen(tokens.chartGrid, 1));
}

}  // namespace

ChartScene::ChartScene(ChartContent& content, QWidget* parent)
    : m_content(content), m_plot(new PatientPlot(parent)), m_tokens(&currentTokens()) {
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setMinimumSize(0, 0);
    m_plot->setNoAntialiasingOnDrag(false);
    m_plot->setAntialiasedElement(QCP::aeGrid, false);
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    m_plot->layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical);
    addSceneLayers(*m_plot, *this);
    if (parent) m_overlayWidget = new OverlayWidget(*this, m_plot);
    setTokens(*m_tokens);
}

ChartScene::~ChartScene() {
    if (!m_plot->parent()) delete m_plot;
}

void ChartScene::setTokens(const Tokens& tokens) {
    m_tokens = &tokens;
    m_plot->setBackground(QBrush(tokens.canvas));
    styleChartAxis(*m_plot->xAxis, tokens, true);
    styleChartAxis(*m_plot->yAxis, tokens, false);
}

void ChartScene::prepare(const ChartView& view, const QSize& size, double pixelRatio) {
    m_size = size.expandedTo({kLeft + kRight + 20, kTop + kBottom + 20});
    m_view = view;
    m_pixelRatio = pixelRatio;
    m_view.x = fittedX(m_content, m_view);
    m_view.x.scale.isWhole = m_content.isXWhole;
    m_view.y = fittedY(m_content, m_view, m_view.x);
    placeLegend();
    m_hasFooter = m_mayHaveFooter && m_size.height() >= kFooterFrom;
    cutDown();
    if (!m_hasFooter && !badgesOf(m_view, m_drawn).empty()) {
        m_hasFooter = true;
        cutDown();
    }
    // Where bands lie is known only now; they may reach beyond the points that they are of.
    if (m_drawn.bandReach.least <= m_drawn.bandReach.most) {
        const AxisView y = fittedY(m_content, m_view, m_view.x, m_drawn.bandReach);
        if (y.low < m_view.y.low || y.high > m_view.y.high) {
            m_view.y = y;
            cutDown();
        }
    }
    prepareAxes();
}

void ChartScene::cutDown() {
    m_geometry = geometryFor(m_hasFooter);
    m_drawn = drawnChart(m_content, m_view, m_geometry, m_bands, m_pixelRatio);
}

/// Makes the ticks of y, too: the longest label decides where the plot begins.
ChartGeometry ChartScene::geometryFor(bool hasFooter) {
    const int top = kTop + kLegendRow * m_legendRows;
    const int bottom = kBottom + (hasFooter ? kFooter : 0);
    const int height = std::max(20, m_size.height() - top - bottom);
    m_yTicks = axisTicksWithin(m_view.y.scale, m_view.y.scale.place(m_view.y.low),
                               m_view.y.scale.place(m_view.y.high), height,
                               [](const QString&) { return kTickHeight; });
    double left = kLeft;
    for (const AxisTick& tick : m_yTicks) left = std::max(left, labelWidth(tick.label) + kTickGap);
    left = std::ceil(std::min(left, kMostLeft));
    return ChartGeometry(QRectF(left, top, m_size.width() - left - kRight, height), m_view.x,
                         m_view.y);
}

void ChartScene::prepareAxes() {
    const bool hasPoints = m_content.numPoints() > 0;  // else the numbers would mean nothing
    const QRectF& plot = m_geometry.plot();
    m_plot->axisRect()->setMargins(QMargins(static_cast<int>(plot.left()),
                                            static_cast<int>(plot.top()), kRight,
                                            m_size.height() - static_cast<int>(plot.bottom())));
    m_xTicks = axisTicksWithin(
        m_view.x.scale, m_view.x.scale.place(m_view.x.low), m_view.x.scale.place(m_view.x.high),
        plot.width(), [this](const QString& label) { return labelWidth(label) + kTickGap; });
    const std::vector<AxisTick> xLabels = withoutEndLabel();
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        const bool isX = axis == m_plot->xAxis;
        const AxisView& seen = isX ? m_view.x : m_view.y;
        axis->setTicker(QSharedPointer<QCPAxisTicker>(new MadeTicker(isX ? xLabels : m_yTicks)));
        axis->setRange(seen.scale.place(seen.low), seen.scale.place(seen.high));
        axis->setTickLabels(hasPoints);
        axis->grid()->setVisible(hasPoints && !isX);
    }
}

/// The ticks of x as the library draws them, each label in the middle of its tick. One that would
/// reach beyond the plot ends with it: the frame draws it.
std::vector<AxisTick> ChartScene::withoutEndLabel() {
    m_endLabel.clear();
    std::vector<AxisTick> ticks = m_xTicks;
    const QRectF& plot = m_geometry.plot();
    const double low = m_view.x.scale.place(m_view.x.low);
    const double pixelsEach = plot.width() / (m_view.x.scale.place(m_view.x.high) - low);
    for (auto tick = ticks.rbegin(); tick != ticks.rend(); ++tick) {
        if (tick->label.isEmpty()) continue;
        const double half = labelWidth(tick->label) / 2;
        const double end = plot.left() + (tick->place - low) * pixelsEach + half;
        if (m_endLabel.isEmpty()) {
            if (end <= plot.right()) break;
            m_endLabel = std::exchange(tick->label, {});
            continue;
        }
        if (end + kTickGap / 2 > plot.right() - labelWidth(m_endLabel)) tick->label.clear();
        break;
    }
    return ticks;
}

QRectF ChartScene::endLabelPlace() const {
    const QRectF& plot = m_geometry.plot();
    return {plot.left(), plot.bottom() + kTickPadding + kTickLength - 1, plot.width(), kTickHeight};
}

QFont ChartScene::tickFont() {
    return numberFont(kTickSize);
}

double ChartScene::labelWidth(const QString& label) const {
    return m_tickMetrics.horizontalAdvance(label);
}

void ChartScene::placeLegend() {
    m_legend.clear();
    m_legendRest.clear();
    m_legendRows = 0;
    std::vector<LegendEntry> entries =
        m_hasLegend ? legendEntries(m_content, m_view) : std::vector<LegendEntry>();
    // Without a legend nothing else tells what bands are.
    m_remark = m_hasLegend || m_content.groups.empty() ? smoothingRemark(m_content, m_view)
                                                       : chartCaption(m_content, m_view);
    const double title = 12 + wordsWidth(12.5, m_content.title, 600) + 16;
    const double right = m_size.width() - kRight;
    std::vector<double> widths = widthsOf(entries);
    double total = std::accumulate(widths.begin(), widths.end(), 0.0);
    if (!m_isFigure && title + total > right) {
        QStringList remarks{shortenLegend(entries), m_remark};
        remarks.removeAll({});
        m_remark = remarks.join(QStringLiteral("; "));
        widths = widthsOf(entries);
        total = std::accumulate(widths.begin(), widths.end(), 0.0);
    }
    const QString scale =
        m_view.y.scale.kind == ScaleKind::Linear ? QString() : nameOf(m_view.y.scale.kind);
    QStringList beside{m_content.unit, scale};
    beside.removeAll({});
    m_unit = beside.join(QStringLiteral(", "));
    const auto unitWidth = [this] {
        return m_unit.isEmpty() ? 0 : wordsWidth(kLegendSize, m_unit, 400) + 8;
    };
    if (m_isFigure && title + unitWidth() + total > right) {
        placeLegendBelow(entries);
        placeRemark(title + unitWidth(), 0);
        return;
    }
    if (title + unitWidth() + total > right) m_unit = scale;
    if (title + unitWidth() + total > right) m_unit.clear();
    std::size_t count = entries.size();
    constexpr double kRest = 32;  // "+12"
    while (count > 0 && title + total + (count < entries.size() ? kRest : 0) > right)
        total -= widths[--count];
    for (std::size_t i = count; i < entries.size(); ++i) m_legendRest << entries[i].name;
    double x = right - total + 14 - (m_legendRest.isEmpty() ? 0 : kRest);
    for (std::size_t i = 0; i < count; ++i) {
        m_legend.emplace_back(QRectF(x, 6, widths[i] - 14, 24), entries[i]);
        x += widths[i];
    }
    m_legendRestX = x;
    placeRemark(title + unitWidth(), total);
}

/// Between title and legend if it has room there, else in a row of its own.
/// @param left, taken  where the title ends, and the legend's width beside it
void ChartScene::placeRemark(double left, double taken) {
    const double width = m_remark.isEmpty() ? 0 : wordsWidth(kLegendSize, m_remark, 400) + 14;
    m_needsRemarkRow = width > 0 && left + width + taken > m_size.width() - kRight;
    if (!m_needsRemarkRow && !m_hasRemarkRow) {
        m_remarkAt = {left, 22};
        return;
    }
    ++m_legendRows;
    m_remarkAt = {12, 22.0 + kLegendRow * m_legendRows};
}

void ChartScene::placeLegendBelow(const std::vector<LegendEntry>& entries) {
    double x = kLeft;
    m_legendRows = entries.empty() ? 0 : 1;
    for (const LegendEntry& entry : entries) {
        const double width = kLegendSample + 6 + wordsWidth(kLegendSize, entry.name, 400);
        if (x > kLeft && x + width > m_size.width() - kRight) {
            x = kLeft;
            ++m_legendRows;
        }
        m_legend.emplace_back(QRectF(x, 8 + kLegendRow * m_legendRows, width, 20), entry);
        x += width + 14;
    }
}

void ChartScene::draw() {
    if (m_plot->bufferDevicePixelRatio() != m_plot->devicePixelRatioF())
        m_plot->setBufferDevicePixelRatio(m_plot->devicePixelRatioF());
    m_plot->replot(QCustomPlot::rpImmediateRefresh);
}

void ChartScene::drawOverlay() {
    m_overlayWidget->repaint();
}

void ChartScene::setPlace(const QRect& place) {
    m_plot->setGeometry(place);
    m_overlayWidget->setGeometry(QRect(QPoint(0, 0), place.size()));
}

void ChartScene::paint(QCPPainter& painter, bool isVector) {
    m_isVector = isVector;
    m_plot->toPainter(&painter, m_size.width(), m_size.height());
    m_isVector = false;
}

}  // namespace orrery
