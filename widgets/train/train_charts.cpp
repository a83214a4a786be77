#include "widgets/train/train_charts.h"

#include <QComboBox>
#include <QJsonArray>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <cmath>
#include <span>
#include <utility>

#include "core/solve/solution.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_defaults.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/train/stage_bar.h"
#include "widgets/train/train_facts.h"
#include "widgets/train/train_session.h"
#include "widgets/train/view_clock.h"

namespace orrery {

namespace {

constexpr int kUsualSmoothing = 90;

/// Whether a state of the grid has a chart.
bool isKept(const QJsonObject& grid, const QString& id) {
    return std::ranges::any_of(grid[QLatin1String("charts")].toArray(), [&](const QJsonValue& one) {
        return one[QLatin1String("id")].toString() == id;
    });
}

}  // namespace

TrainCharts::TrainCharts(TrainSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_kind(&session->record().kind()),
      m_facts(new TrainFacts(session, this)),
      m_pages(new QStackedWidget(this)) {
    setObjectName(QStringLiteral("trainCharts"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);
    m_empty = makeEmptyPage();
    m_full = makeFullPage();
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_full);
    sizeByShownPage(m_pages);
    setFocusProxy(m_pages);
    connect(&m_making, &QTimer::timeout, this, &TrainCharts::makeNextChart);
    m_making.start(0);
    connect(session, &TrainSession::begun, this, [this] {
        if (m_kind != &m_session->record().kind()) takeKind();
        // Another run may have other distances between its points.
        if (m_smoothing->value() > 0) setSmoothing(m_smoothing->value());
        forgetViews();
        fillCharts();
        refreshStatus();
    });
    connect(session, &TrainSession::historyChanged, this, &TrainCharts::fillCharts);
    connect(session, &TrainSession::marksChanged, this, [this] {
        m_areMarksNew = true;
        m_session->clock().request();
    });
    connect(session, &TrainSession::changed, this, &TrainCharts::refreshStatus);
    connect(session, &TrainSession::ended, this, [this] {
        m_areMarksNew = true;  // no stage is current any more
        m_session->clock().request();
        refreshStatus();
    });
    ViewClock& clock = session->clock();
    clock.addView(this);
    connect(&clock, &ViewClock::due, this, &TrainCharts::draw);
    connect(&clock, &ViewClock::rateChanged, this, &TrainCharts::refreshRate);
    // Single steps are noisy, and the slider says what is done; a choice in the settings goes
    // first.
    if (chartDefaults().smoothing.kind == SmoothingKind::None)
        m_smoothing->setValue(kUsualSmoothing);
    fillCharts();
    refreshStatus();
    refreshRate();
}

/// Another method has other charts.
void TrainCharts::takeKind() {
    m_grids[nameOfKind()] = presentGrid();
    m_kind = &m_session->record().kind();
    m_grid->clear();
    m_lines.clear();
    m_numMade = 0;
    m_keptGrid = m_grids[nameOfKind()].toObject();
    if (!m_keptGrid.isEmpty()) m_grid->restoreState(m_keptGrid);
    m_axis->setItemText(0, QString::fromStdString(m_kind->display.axisName));
    m_making.start(0);
}

void TrainCharts::makeNextChart() {
    if (m_numMade == plans().size()) return m_making.stop();
    const CurveChart& plan = plans()[m_numMade++];
    Chart* chart = m_grid->addChart(QString::fromStdString(plan.id));
    if (!isKept(m_keptGrid, chart->id())) {
        chart->setScales(ScaleKind::Linear, plan.isLog ? ScaleKind::Log : ScaleKind::Linear);
        if (m_smoothing->value() > 0 || plan.isPlanned) chart->setSmoothing(smoothingOf(plan));
    }
    chart->setXNote([this](double x) {
        return isByTime() ? QString() : durationText(m_session->record().secondsAt(x));
    });
    chart->setSubject(m_session->record().title());
    fillChart(plan);
    m_areMarksNew = true;
    refreshErrorHint();
    if (m_numMade == plans().size()) {
        m_keptGrid = {};
        refreshMarks();
    }
}

bool TrainCharts::isByTime() const {
    return m_axis->currentIndex() == 1;
}

double TrainCharts::xOf(double step) const {
    return isByTime() ? m_session->record().secondsAt(step) : step;
}

/// What was zoomed to in a run says nothing of another one.
void TrainCharts::forgetViews() {
    const QString former = std::exchange(m_viewedRun, m_session->record().runId());
    if (!former.isEmpty() && former == m_viewedRun) return;
    m_grid->resetRanges();
}

/// Everything anew: another run, or another axis.
void TrainCharts::fillCharts() {
    m_pages->setCurrentWidget(m_session->record().hasRun() ? m_full : m_empty);
    m_lines.clear();
    m_serial = m_session->serial();
    for (std::size_t i = 0; i < m_numMade; ++i) fillChart(plans()[i]);
    refreshMarks();
    refreshErrorHint();
}

void TrainCharts::fillChart(const CurveChart& plan) {
    Chart* chart = m_grid->chart(QString::fromStdString(plan.id));
    chart->clear();
    chart->setTitle(QString::fromStdString(plan.title), QString::fromStdString(plan.unit));
    chart->setXName(isByTime() ? tr("seconds") : QString::fromStdString(m_kind->display.stepName),
                    !isByTime());
    chart->setEmptyText(tr("No points so far."));
    addHistory(plan);
    appendPoints(plan);
}

/// What came since the last time.
void TrainCharts::draw() {
    appendPoints();
    if (m_areMarksNew) refreshMarks();
}

void TrainCharts::appendPoints() {
    for (std::size_t i = 0; i < m_numMade; ++i) appendPoints(plans()[i]);
}

void TrainCharts::appendPoints(const CurveChart& plan) {
    const auto& curves = m_session->record().curves();
    Chart* chart = m_grid->chart(QString::fromStdString(plan.id));
    for (const CurveChart::Line& part : plan.lines) {
        const QString metric = QString::fromStdString(part.curve);
        const auto curve = curves.find(metric);
        if (curve == curves.end()) continue;
        auto line = std::ranges::find(m_lines, metric, &Line::metric);
        if (line == m_lines.end()) {
            const SeriesHandle series =
                chart->addSeries({.name = QString::fromStdString(part.name), .color = part.color});
            line =
                m_lines.insert(m_lines.end(), {.metric = metric, .chart = chart, .series = series});
        }
        const TrainCurve& points = curve->second;
        if (line->drawn == points.step.size()) continue;
        append(*chart, line->series, points, line->drawn);
        line->drawn = points.step.size();
    }
}

/// The parent's lines, dimmed, up to where this run goes on from them.
void TrainCharts::addHistory(const CurveChart& plan) {
    const auto& history = m_session->record().history();
    const QString parent = QString::fromStdString(m_session->record().settings().fromRun);
    Chart* chart = m_grid->chart(QString::fromStdString(plan.id));
    for (const CurveChart::Line& part : plan.lines) {
        const auto curve = history.find(QString::fromStdString(part.curve));
        if (curve == history.end() || curve->second.step.empty()) continue;
        const SeriesHandle series =
            chart->addSeries({.name = tr("%1 of %2").arg(QString::fromStdString(part.name), parent),
                              .color = part.color,
                              .isDimmed = true});
        append(*chart, series, curve->second, 0);
    }
}

/// Adds a curve's points from one on; along the seconds of training, which are estimates, too, x
/// never decreases.
void TrainCharts::append(Chart& chart, SeriesHandle series, const TrainCurve& curve,
                         std::size_t from) const {
    const Series& known = chart.content().series[static_cast<std::size_t>(series)].points;
    double least = known.isEmpty() ? 0 : known.lastX();
    std::vector<double> x;
    for (std::size_t i = from; i < curve.step.size(); ++i)
        x.push_back(least = std::max(least, xOf(curve.step[i])));
    chart.append(series, x, std::span<const double>(curve.value.data() + from, x.size()));
}

void TrainCharts::refreshMarks() {
    m_areMarksNew = false;
    std::vector<ChartStage> stages = m_session->record().stages();
    for (ChartStage& stage : stages) {
        stage.from = xOf(stage.from);
        stage.to = xOf(stage.to);
    }
    std::vector<ChartEvent> marks = m_session->record().marks();
    for (ChartEvent& mark : marks) mark.x = xOf(mark.x);
    for (Chart* chart : m_grid->charts()) {
        chart->setStages(stages);
        chart->setEvents(marks);
    }
}

void TrainCharts::refreshStatus() {
    if (m_session->record().hasRun()) m_viewedRun = m_session->record().runId();
    m_run->setText(m_session->record().title());
    for (Chart* chart : m_grid->charts()) chart->setSubject(m_session->record().title());
    // Of a live training the status bar says it.
    const bool isLive = m_session->record().isLive();
    m_state->setText(isLive ? QString() : wordsHtml(trainStateText(*m_session)));
    m_numbers->setText(isLive ? QString() : trainStatusText(*m_session));
    for (QPushButton* button : {m_steps, m_checkpoint}) button->setEnabled(isLive);
    m_stages->setStages(m_session->record().plannedStages(), m_session->record().step(),
                        m_session->record().totalSteps());
    refreshErrorHint();
}

void TrainCharts::refreshErrorHint() {
    const TrainSnapshot* all = m_session->record().training();
    if (all == nullptr || m_session->record().numbers() == nullptr) return;
    // A training of the history does not tell.
    const bool mayHaveExact =
        all->exact.empty() ||
        std::ranges::any_of(all->exact, [](const auto& solution) { return solution != nullptr; });
    for (const CurveChart& plan : plans()) {
        Chart* chart = m_grid->chart(QString::fromStdString(plan.id));
        if (plan.withoutExact.empty() || chart == nullptr || !chart->content().series.empty())
            continue;
        chart->setEmptyText(mayHaveExact ? tr("No points so far.")
                                         : QString::fromStdString(plan.withoutExact));
    }
}

/// The slider follows what the charts' menus and the settings have chosen; what it has no place for
/// leaves it at the left end.
void TrainCharts::showSmoothing() {
    // Those that are made now still take what the slider says.
    if (plans().empty() || m_numMade < plans().size()) return;
    const Chart* chart = m_grid->chart(QLatin1String(plans()[0].id));
    const SmoothingSpec& smoothing = chart->view().smoothing;
    const auto interval =
        static_cast<double>(m_session->record().settings().cadence.metricInterval);
    const double factor =
        smoothing.kind == SmoothingKind::Ema ? std::exp(-interval / smoothing.window) : 0;
    const QSignalBlocker blocker(m_smoothing);
    m_smoothing->setValue(static_cast<int>(std::lround(factor * 100)));
    const bool isOther =
        smoothing.kind == SmoothingKind::Median || smoothing.kind == SmoothingKind::Envelope;
    m_smoothingText->setText(isOther ? tr("other") : QString::number(factor, 'f', 2));
}

void TrainCharts::setSmoothing(int place) {
    m_smoothingText->setText(QString::number(static_cast<double>(place) / 100, 'f', 2));
    for (std::size_t i = 0; i < m_numMade; ++i)
        m_grid->chart(QLatin1String(plans()[i].id))->setSmoothing(smoothingOf(plans()[i]));
}

SmoothingSpec TrainCharts::smoothingOf(const CurveChart& plan) const {
    const double factor = static_cast<double>(m_smoothing->value()) / 100;
    // What follows from the step alone has no noise.
    if (factor == 0 || plan.isPlanned) return {};
    // Points are metricInterval steps apart.
    const auto interval =
        static_cast<double>(m_session->record().settings().cadence.metricInterval);
    return {.kind = SmoothingKind::Ema, .window = emaWindowOf(factor) * interval};
}

void TrainCharts::refreshRate() {
    const ViewClock& clock = m_session->clock();
    const QSignalBlocker blocker(m_rate);
    m_rate->setValue(clock.rate());
    m_rateText->setText(clock.isFrozen() ? tr("frozen") : tr("%1 Hz").arg(clock.rate()));
    m_rateText->setProperty(
        "look", clock.isFrozen() ? QStringLiteral("problem") : QStringLiteral("number"));
    restyle(m_rateText);
}

QAbstractItemModel* TrainCharts::tableModel() {
    return m_facts;
}

const std::vector<CurveChart>& TrainCharts::plans() const {
    return m_kind->display.charts;
}

/// As it is arranged, or, until all charts are made, as it was.
QJsonObject TrainCharts::presentGrid() const {
    return m_numMade == plans().size() || m_keptGrid.isEmpty() ? m_grid->saveState() : m_keptGrid;
}

QString TrainCharts::nameOfKind() const {
    return QString::fromStdString(m_kind->name);
}

QJsonObject TrainCharts::saveState() const {
    QJsonObject grids = m_grids;
    grids[nameOfKind()] = presentGrid();
    return {{QStringLiteral("grids"), grids},
            {QStringLiteral("run"), m_viewedRun},
            {QStringLiteral("axis"), m_axis->currentIndex()},
            {QStringLiteral("smoothing"), m_smoothing->value()}};
}

void TrainCharts::restoreState(const QJsonObject& state) {
    m_viewedRun = state[QLatin1String("run")].toString();
    m_axis->setCurrentIndex(state[QLatin1String("axis")].toInt() == 1 ? 1 : 0);
    {
        const QSignalBlocker blocker(m_smoothing);
        m_smoothing->setValue(state[QLatin1String("smoothing")].toInt());
        m_smoothingText->setText(
            QString::number(static_cast<double>(m_smoothing->value()) / 100, 'f', 2));
    }
    m_grids = state[QLatin1String("grids")].toObject();
    // As it was written when there was one method.
    if (const QJsonObject only = state[QLatin1String("grid")].toObject(); !only.isEmpty())
        m_grids[QString::fromStdString(trainingKinds().front()->name)] = only;
    m_keptGrid = m_grids[nameOfKind()].toObject();
    m_grid->restoreState(m_keptGrid);
    if (m_numMade == plans().size()) m_keptGrid = {};
}

}  // namespace orrery
