#include "widgets/explore/outcome_chart.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/plots/chart.h"

namespace orrery {

namespace {

constexpr int kMostLines = 16;
/// Values that span more than this are drawn on a logarithmic axis.
constexpr double kLogFrom = 30;

/// The chart, which as a figure also remembers what it is a chart of.
class OutcomePlot : public Chart {
public:
    explicit OutcomePlot(OutcomeChart* owner)
        : Chart(QStringLiteral("outcome"), owner), m_owner(owner) {}

    QJsonObject figureState() const override {
        QJsonObject state = Chart::figureState();
        state.insert(QStringLiteral("result"), m_owner->resultKey());
        state.insert(QStringLiteral("axis"), m_owner->axisKey());
        return state;
    }
    void restoreFigure(const QJsonObject& state) override {
        m_owner->setResultKey(state[QLatin1String("result")].toString());
        m_owner->setAxisKey(state[QLatin1String("axis")].toString());
        Chart::restoreFigure(state);
    }

private:
    OutcomeChart* m_owner;
};

}  // namespace

OutcomeChart::OutcomeChart(QWidget* parent)
    : QWidget(parent),
      m_nothing(tr("A sweep draws its results here.")),
      m_results(new QComboBox(this)),
      m_axes(new QComboBox(this)),
      m_remark(makeLabel({}, "hint", this)),
      m_chart(new OutcomePlot(this)) {
    setObjectName(QStringLiteral("outcomeChart"));
    setAccessibleName(tr("Outcome against a parameter"));
    m_results->setObjectName(QStringLiteral("outcomeResult"));
    m_results->setAccessibleName(tr("Result"));
    m_results->setToolTip(tr("The result that is drawn"));
    m_axes->setObjectName(QStringLiteral("outcomeAxis"));
    m_axes->setAccessibleName(tr("Parameter along x"));
    m_axes->setToolTip(tr("The parameter along x; the other one makes the lines"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 6, 12, 0);
    head->setSpacing(8);
    head->addWidget(makeLabel(tr("Outcome"), "section", this));
    head->addWidget(m_remark, 1);
    head->addWidget(m_results);
    head->addWidget(m_axes);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_chart, 1);
    auto* statistics = new ChartStatistics(this);
    statistics->setChart(m_chart);
    column->addWidget(statistics);
    connect(m_results, &QComboBox::activated, this, &OutcomeChart::draw);
    connect(m_axes, &QComboBox::activated, this, &OutcomeChart::draw);
    refreshBoxes();
    draw();
}

void OutcomeChart::setTable(const OutcomeTable& table) {
    OutcomeTable drawn = table;
    for (OutcomeTable::Run& run : drawn.runs) run.state.reset();  // a queued run that begins
    if (drawn == m_table && !drawn.runs.empty()) return;
    m_table = std::move(drawn);
    refreshBoxes();
    draw();
}

void OutcomeChart::setNothing(const QString& why) {
    m_nothing = why;
    m_table = {};
    refreshBoxes();
    draw();
}

QString OutcomeChart::resultKey() const {
    return m_results->currentData().toString();
}

void OutcomeChart::setResultKey(const QString& key) {
    m_results->setCurrentIndex(std::max(0, m_results->findData(key)));
    draw();
}

QString OutcomeChart::axisKey() const {
    return m_axes->currentData().toString();
}

void OutcomeChart::setAxisKey(const QString& key) {
    m_axes->setCurrentIndex(std::max(0, m_axes->findData(key)));
    draw();
}

void OutcomeChart::refreshBoxes() {
    const QString result = resultKey(), axis = axisKey();
    const QSignalBlocker noResult(m_results);
    const QSignalBlocker noAxis(m_axes);
    m_results->clear();
    for (const OutcomeTable::Result& each : m_table.results)
        m_results->addItem(plainSymbol(each.title), each.key);
    m_results->setCurrentIndex(std::max(0, m_results->findData(result)));
    m_axes->clear();
    for (const QString& key : m_table.axes) m_axes->addItem(plainSymbol(key), key);
    m_axes->setCurrentIndex(std::max(0, m_axes->findData(axis)));
    m_results->setVisible(m_table.results.size() > 1);
    m_axes->setVisible(m_table.axes.size() > 1);
}

void OutcomeChart::draw() {
    m_chart->clear();
    m_remark->clear();
    const int axis = static_cast<int>(m_table.axes.indexOf(axisKey()));
    if (axis < 0 || resultKey().isEmpty()) {
        m_chart->setTitle({});
        m_chart->setEmptyText(m_nothing);
        return;
    }
    m_chart->setEmptyText(tr("No run has a result yet."));
    const int result = m_results->currentIndex();
    m_chart->setTitle(result < 0 ? QString()
                                 : m_table.results[static_cast<std::size_t>(result)].title);
    m_chart->setXName(axisKey(), false);
    double low = INFINITY, high = 0;
    for (const OutcomeTable::Run& run : m_table.runs)
        if (const double x = run.numbers[axis]; std::isfinite(x)) {
            low = std::min(low, x);
            high = std::max(high, x);
        }
    m_chart->setScales(low > 0 && high / low > kLogFrom ? ScaleKind::Log : ScaleKind::Linear,
                       ScaleKind::Linear);
    QStringList others;
    if (m_table.axes.size() > 1)
        for (const OutcomeTable::Run& run : m_table.runs)
            if (!others.contains(run.texts[1 - axis])) others << run.texts[1 - axis];
    std::ranges::sort(others, [](const QString& a, const QString& b) {
        bool isNumberA = false, isNumberB = false;
        const double x = a.toDouble(&isNumberA), y = b.toDouble(&isNumberB);
        return isNumberA && isNumberB ? x < y : a < b;
    });
    if (others.isEmpty()) others << QString();
    for (int k = 0; k < std::min<int>(kMostLines, static_cast<int>(others.size())); ++k)
        addLine(axis, others[k], k);
    const auto odd = std::ranges::count_if(m_table.runs, [axis](const OutcomeTable::Run& run) {
        return !std::isfinite(run.numbers[axis]);
    });
    QStringList remarks;
    if (odd > 0) remarks << tr("%1 runs have no finite value of %2").arg(odd).arg(axisKey());
    if (others.size() > kMostLines)
        remarks << tr("showing %1 of %2 lines").arg(kMostLines).arg(others.size());
    m_remark->setText(remarks.join(QStringLiteral(", ")));
    m_chart->fit();
}

void OutcomeChart::addLine(int axis, const QString& other, int color) {
    const QString key = resultKey();
    std::vector<std::pair<double, double>> points;
    for (const OutcomeTable::Run& run : m_table.runs) {
        const bool isHere = m_table.axes.size() < 2 || run.texts[1 - axis] == other;
        const double x = run.numbers[axis];
        if (isHere && std::isfinite(x) && run.results.contains(key))
            points.emplace_back(x, run.results.value(key));
    }
    if (points.empty()) return;
    std::ranges::sort(points);
    std::vector<double> x, y;
    for (const auto& [px, py] : points) {
        x.push_back(px);
        y.push_back(py);
    }
    const QString name = m_table.axes.size() < 2
                             ? m_chart->content().title
                             : QStringLiteral("%1 %2").arg(m_table.axes[1 - axis], other);
    const SeriesHandle series = m_chart->addSeries({.name = name, .color = color});
    m_chart->append(series, x, y);
}

}  // namespace orrery
