#include "widgets/plots/chart_statistics.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/plots/cell_table.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_picture.h"

namespace orrery {

namespace {

constexpr int kMostHeight = 200;

QString placeText(double x) {
    return x == std::trunc(x) ? countText(static_cast<std::int64_t>(x)) : valueText(x, 4);
}

/// "Loss · A 20 000 · B 148 000 · Δ 128 000 step".
QString titleOf(const ChartContent& content, const ChartView& view) {
    QStringList parts{content.title};
    if (view.cursorA) parts << QStringLiteral("A %1").arg(placeText(*view.cursorA));
    if (view.cursorB) parts << QStringLiteral("B %1").arg(placeText(*view.cursorB));
    if (view.cursorA && view.cursorB)
        parts << QStringLiteral("Δ %1 %2").arg(placeText(*view.cursorB - *view.cursorA),
                                               content.xName);
    else
        parts << ChartStatistics::tr("set the other cursor by its letter");
    const bool isSmoothed =
        view.smoothing.kind == SmoothingKind::Ema || view.smoothing.kind == SmoothingKind::Median;
    if (isSmoothed)
        parts << ChartStatistics::tr("at A and B %1, else raw")
                     .arg(captionOf(view.smoothing, content.xName));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

StatisticsRows statisticsRows(ChartContent& content, const ChartView& view) {
    StatisticsRows all;
    all.headers = {QStringLiteral("line"), QStringLiteral("at A"),  QStringLiteral("at B"),
                   QStringLiteral("Δ"),    QStringLiteral("slope"), QStringLiteral("mean"),
                   QStringLiteral("sd"),   QStringLiteral("min"),   QStringLiteral("max"),
                   QStringLiteral("n"),    QStringLiteral("NaN")};
    if (!view.cursorA && !view.cursorB) return all;
    const bool hasBoth = view.cursorA && view.cursorB;
    const double a = view.cursorA ? *view.cursorA : *view.cursorB;
    const double b = view.cursorB.value_or(a);
    const double low = std::min(a, b);
    const double high = std::max(a, b);
    const double none = std::numeric_limits<double>::quiet_NaN();
    for (ChartContent::Entry& entry : content.series) {
        if (!isShown(entry, view) || entry.points.isEmpty()) continue;
        const SeriesStatistics range = entry.points.statistics(
            entry.points.lowerBound(low), entry.points.lowerBound(std::nextafter(high, 1e308)));
        const double atA = boldValueAt(entry, view.smoothing, a);
        const double atB = boldValueAt(entry, view.smoothing, b);
        const bool isEmpty = range.extent.finite == 0;
        CellModel::Row row{.color = entry.spec.color, .cells = {CellModel::word(entry.spec.name)}};
        for (const double value :
             {view.cursorA ? atA : none, view.cursorB ? atB : none, hasBoth ? atB - atA : none,
              hasBoth && b != a ? (atB - atA) / (b - a) : none, range.mean, range.deviation,
              isEmpty ? none : range.extent.least, isEmpty ? none : range.extent.most})
            row.cells.push_back(CellModel::value(value));
        for (const std::int64_t count : {range.extent.finite, range.extent.notFinite})
            row.cells.push_back(CellModel::count(static_cast<double>(count)));
        all.rows.push_back(std::move(row));
    }
    return all;
}

ChartStatistics::ChartStatistics(QWidget* parent)
    : QFrame(parent),
      m_title(makeLabel(QString(), "label", this)),
      m_table(new CellTable(QStringLiteral("chartStatistics"), this)) {
    setObjectName(QStringLiteral("chartStatisticsPanel"));
    setProperty("look", QStringLiteral("foot"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 4, 12, 4);
    layout->setSpacing(2);
    m_title->setObjectName(QStringLiteral("chartStatisticsTitle"));
    m_table->setAccessibleName(tr("Statistics between the cursors"));
    auto* top = new QHBoxLayout;
    top->addWidget(m_title, 1);
    auto* close = new QToolButton(this);
    close->setObjectName(QStringLiteral("chartStatisticsClose"));
    close->setProperty("look", QStringLiteral("plain"));
    close->setText(QStringLiteral("×"));
    close->setToolTip(tr("Remove the cursors (Esc)"));
    close->setAccessibleName(tr("Remove the cursors"));
    close->setFixedSize(24, 24);
    top->addWidget(close);
    layout->addLayout(top);
    layout->addWidget(m_table, 1);
    connect(close, &QToolButton::clicked, this, [this] {
        if (!m_chart) return;
        m_chart->setFocus();
        m_chart->setCursors({}, {});
    });
    hide();
}

void ChartStatistics::setChart(Chart* chart) {
    if (chart == m_chart) return;
    if (m_chart) disconnect(m_chart, nullptr, this, nullptr);
    m_chart = chart;
    if (chart) connect(chart, &Chart::statisticsChanged, this, &ChartStatistics::refresh);
    refresh();
}

QSize ChartStatistics::sizeHint() const {
    // Below a table that is wider lies a bar to scroll it.
    const bool isWide =
        parentWidget() && m_table->sizeHint().width() > parentWidget()->width() - 26;
    const int wanted = m_table->sizeHint().height() + (isWide ? 58 : 44);
    return QSize(200, std::min(wanted, kMostHeight));
}

void ChartStatistics::refresh() {
    const bool hasAny = m_chart && m_chart->content().numPoints() > 0 &&
                        (m_chart->view().cursorA || m_chart->view().cursorB);
    int numRows = -1;
    if (hasAny) {
        StatisticsRows all = m_chart->statistics();
        numRows = static_cast<int>(all.rows.size());
        m_title->setText(titleOf(m_chart->content(), m_chart->view()));
        m_table->setTable(all.headers, std::move(all.rows));
    }
    if (numRows == m_numRows) return;
    m_numRows = numRows;
    setVisible(hasAny);
    updateGeometry();
    Q_EMIT shownChanged();
}

}  // namespace orrery
