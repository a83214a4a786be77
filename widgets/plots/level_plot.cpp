#include "widgets/plots/level_plot.h"

#include <algorithm>
#include <cmath>

#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/qcustomplot_include.h"

namespace orrery {
namespace {

constexpr double kLogFrom = 100;  // ratio of the largest to the smallest level

void styleLevelAxis(QCPAxis& axis, const Tokens& tokens, bool hasGrid) {
    axis.setBasePen(QPen(tokens.chartAxis, 1));
    axis.setTickPen(QPen(tokens.chartAxis, 1));
    axis.setSubTickPen(Qt::NoPen);
    axis.setTickLength(0, 4);
    axis.setTickLabelFont(numberFont(10));
    axis.setTickLabelColor(tokens.text2);
    axis.setLabelFont(interfaceFont(11));
    axis.setLabelColor(tokens.text3);
    axis.grid()->setVisible(hasGrid);
    axis.grid()->setPen(QPen(tokens.chartGrid, 1));
    axis.grid()->setZeroLinePen(QPen(tokens.chartGrid, 1));
}

QCPAxisRect* addRect(QCustomPlot& plot, int row, const Tokens& tokens) {
    auto* rect = new QCPAxisRect(&plot, false);  // owned by the layout
    rect->addAxes(QCPAxis::atBottom | QCPAxis::atLeft);
    rect->setMinimumMargins(QMargins(52, 8, 16, 26));
    styleLevelAxis(*rect->axis(QCPAxis::atBottom), tokens, false);
    styleLevelAxis(*rect->axis(QCPAxis::atLeft), tokens, true);
    QSharedPointer<QCPAxisTicker> steps(new QCPAxisTicker);
    steps->setTickStepStrategy(QCPAxisTicker::tssReadability);
    rect->axis(QCPAxis::atBottom)->setTicker(steps);
    rect->axis(QCPAxis::atBottom)->setNumberFormat("f");
    rect->axis(QCPAxis::atBottom)->setNumberPrecision(0);
    plot.plotLayout()->addElement(row, 0, rect);
    return rect;
}

void addTitle(QCustomPlot& plot, int row, const QString& text, const QFont& font,
              const QColor& color) {
    auto* title = new QCPTextElement(&plot, text, font);  // owned by the layout
    title->setTextColor(color);
    title->setMargins(QMargins(12, 4, 12, 0));
    title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    plot.plotLayout()->addElement(row, 0, title);
}

void setStepRange(QCPAxis& axis, const std::vector<LevelPoint>& points) {
    const int first = points.empty() ? 0 : points.front().step;
    const int last = points.empty() ? 1 : points.back().step;
    axis.setRange(first - 0.6, last + 0.6);
}

void drawSizes(QCustomPlot& plot, QCPAxisRect& rect, const std::vector<LevelPoint>& points,
               const Tokens& tokens) {
    auto* bars = new QCPBars(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft));
    bars->setPen(Qt::NoPen);
    bars->setBrush(tokens.data[0]);
    bars->setWidth(0.7);
    double least = 1e300;
    double most = 1;
    for (const LevelPoint& point : points) {
        const auto states = static_cast<double>(point.states);
        least = std::min(least, states);
        most = std::max(most, states);
    }
    QCPAxis& axis = *rect.axis(QCPAxis::atLeft);
    axis.setNumberFormat("gb");
    axis.setNumberPrecision(4);
    if (!points.empty() && most / std::max(1.0, least) >= kLogFrom) {
        axis.setScaleType(QCPAxis::stLogarithmic);
        axis.setTicker(QSharedPointer<QCPAxisTickerLog>::create());
        axis.setRange(0.5 * std::max(1.0, least), 2 * most);
        bars->setBaseValue(0.5 * std::max(1.0, least));
    } else {
        axis.setRange(0, 1.1 * most);
    }
    // A bar's top is its base plus its value.
    for (const LevelPoint& point : points)
        bars->addData(point.step, static_cast<double>(point.states) - bars->baseValue());
    setStepRange(*rect.axis(QCPAxis::atBottom), points);
    plot.addLayer(QStringLiteral("above"));
}

void drawValues(QCustomPlot& plot, QCPAxisRect& rect, const std::vector<LevelPoint>& points,
                const Tokens& tokens) {
    QCPGraph* graph = plot.addGraph(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft));
    graph->setPen(QPen(tokens.data[1], 2));
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, tokens.data[1], 6));
    for (const LevelPoint& point : points)
        if (std::isfinite(point.meanV_r)) graph->addData(point.step, point.meanV_r);
    QCPAxis& axis = *rect.axis(QCPAxis::atLeft);
    axis.setNumberFormat("gb");
    axis.setNumberPrecision(4);
    graph->rescaleValueAxis();
    const QCPRange range = axis.range();
    const double margin = range.size() > 0 ? 0.08 * range.size() : 1;
    axis.setRange(range.lower - margin, range.upper + margin);
    setStepRange(*rect.axis(QCPAxis::atBottom), points);
    rect.axis(QCPAxis::atBottom)->setLabel(QStringLiteral("step"));
}

}  // namespace

QImage levelPlot(const QString& title, std::vector<LevelPoint> points, const Tokens& tokens,
                 const QSize& size, double pixelRatio) {
    std::ranges::sort(points, {}, &LevelPoint::step);
    QCustomPlot plot;
    plot.setBackground(tokens.canvas);
    plot.plotLayout()->clear();
    plot.plotLayout()->setRowSpacing(2);
    addTitle(plot, 0, title, interfaceFont(15, QFont::DemiBold), tokens.text);
    addTitle(plot, 1, QStringLiteral("states a level"), interfaceFont(12.5, QFont::DemiBold),
             tokens.text);
    QCPAxisRect* sizes = addRect(plot, 2, tokens);
    addTitle(plot, 3, QStringLiteral("mean V_r of a level, exact"),
             interfaceFont(12.5, QFont::DemiBold), tokens.text);
    QCPAxisRect* values = addRect(plot, 4, tokens);
    drawSizes(plot, *sizes, points, tokens);
    drawValues(plot, *values, points, tokens);
    return plot.toPixmap(size.width(), size.height(), pixelRatio).toImage();
}

}  // namespace orrery
