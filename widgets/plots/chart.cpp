#include "widgets/plots/chart.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/base/cpu.h"
#include "core/base/error.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/cell_table.h"
#include "widgets/plots/chart_defaults.h"
#include "widgets/plots/chart_readout.h"
#include "widgets/plots/chart_scene.h"
#include "widgets/plots/chart_table_model.h"
#include "widgets/plots/qcustomplot_include.h"

namespace orrery {

namespace {

constexpr int kFrameMs = 16;
constexpr std::int64_t kSmoothingSlice = 300000;  // points between two looks at the events
constexpr std::int64_t kFrameSlice = 100000;      // points taken in by a frame
constexpr int kSmoothingFrameMs = 120;            // between two pictures of unfinished smoothing
constexpr std::size_t kMostFrameTimes = 4096;

}  // namespace

Chart::Chart(const QString& id, QWidget* parent) : PaintedWidget(parent), m_id(id) {
    setObjectName(QStringLiteral("chart_") + id);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    m_view.smoothing = chartDefaults().smoothing;
    m_view.bands = chartDefaults().bands;
    m_scene = std::make_unique<ChartScene>(m_content, this);

    m_tableModel = new ChartTableModel(m_content, this);

    m_reset = new QToolButton(this);
    m_reset->setObjectName(QStringLiteral("chartReset_") + id);
    m_reset->setProperty("look", QStringLiteral("over"));
    m_reset->setText(tr("Reset zoom"));
    m_reset->setToolTip(tr("The chart shows a part: show all of it (F)"));
    m_reset->setFocusPolicy(Qt::TabFocus);  // a click leaves the keys to the chart
    m_reset->hide();
    connect(m_reset, &QToolButton::clicked, this, &Chart::fit);

    m_empty = new QFrame(this);
    auto* empty = new QVBoxLayout(m_empty);
    empty->setAlignment(Qt::AlignCenter);
    m_emptyText = makeLabel(QString(), "onChart", m_empty);
    m_emptyText->setObjectName(QStringLiteral("chartEmptyText"));
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setWordWrap(true);
    m_emptyAction = new QPushButton(m_empty);
    m_emptyAction->setObjectName(QStringLiteral("chartEmptyAction_") + id);
    empty->addWidget(m_emptyText);
    empty->addWidget(m_emptyAction, 0, Qt::AlignCenter);
    connect(m_emptyAction, &QPushButton::clicked, this, [this] {
        if (m_content.numPoints() > 0)
            showAll();
        else
            Q_EMIT emptyActionTriggered();
    });
    setEmptyText(QStringLiteral("No points yet"));

    m_frameTimer.setSingleShot(true);
    m_frameTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_frameTimer, &QTimer::timeout, this, &Chart::drawFrame);
    m_smoothingTimer.setSingleShot(true);
    connect(&m_smoothingTimer, &QTimer::timeout, this, &Chart::continueSmoothing);
    m_sinceFrame.start();
}

Chart::~Chart() = default;

void Chart::makeTwin() {
    m_twin = new QFrame(this);
    m_twin->setProperty("look", QStringLiteral("card"));
    auto* twin = new QVBoxLayout(m_twin);
    twin->setContentsMargins(12, 4, 4, 4);
    auto* twinTop = new QHBoxLayout;
    m_twinTitle = makeLabel(QString(), "section", m_twin);
    twinTop->addWidget(m_twinTitle, 1);
    twinTop->addWidget(makeLabel(QStringLiteral("F8 shows the chart"), "hint", m_twin));
    twin->addLayout(twinTop);
    auto* table = new QTableView(m_twin);
    twin->addWidget(table);
    table->setObjectName(QStringLiteral("chartTable_") + m_id);
    table->setModel(m_tableModel);
    table->verticalHeader()->setDefaultSectionSize(28);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->hide();
    table->setCornerButtonEnabled(false);
    table->setShowGrid(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table->setFocusPolicy(Qt::NoFocus);  // the chart keeps its keys
}

ChartReadout& Chart::readout() {
    if (!m_readout) {
        m_readout = new ChartReadout(this);
        connect(m_readout, &ChartReadout::unpinned, this, &Chart::unpin);
    }
    return *m_readout;
}

bool Chart::isPinned() const {
    return m_readout && m_readout->isPinned();
}

void Chart::setTitle(const QString& title, const QString& unit) {
    m_content.title = title;
    m_content.unit = unit;
    setAccessibleName(title);
    contentChanged();
}

void Chart::setXName(const QString& name, bool isWhole) {
    m_content.xName = name;
    m_content.isXWhole = isWhole;
    contentChanged();
}

int Chart::addGroup(const QString& name, int color) {
    m_content.groups.push_back({name, color});
    contentChanged();
    return static_cast<int>(m_content.groups.size()) - 1;
}

SeriesHandle Chart::addSeries(const SeriesSpec& spec) {
    if (spec.group >= static_cast<int>(m_content.groups.size()))
        throw Error("The series " + spec.name.toStdString() + " names group " +
                    std::to_string(spec.group) + " of a chart with " +
                    std::to_string(m_content.groups.size()) + " groups: add the group first.");
    ChartContent::Entry entry;
    entry.spec = spec;
    if (spec.group >= 0)
        entry.groupKey = m_content.groups[static_cast<std::size_t>(spec.group)].name;
    entry.key = spec.group >= 0 ? entry.groupKey + QLatin1Char('/') + spec.name : spec.name;
    m_content.series.push_back(std::move(entry));
    contentChanged();
    return static_cast<SeriesHandle>(m_content.series.size()) - 1;
}

void Chart::setPoints(SeriesHandle series, Series points) {
    m_content.series[static_cast<std::size_t>(series)].points = std::move(points);
    contentChanged();
    Q_EMIT extentChanged();
}

void Chart::append(SeriesHandle series, std::span<const double> x, std::span<const double> y) {
    m_content.series[static_cast<std::size_t>(series)].points.append(x, y);
    if (x.empty()) return;
    contentChanged();
    Q_EMIT extentChanged();
}

void Chart::setDimmed(SeriesHandle series, bool isDimmed) {
    m_content.series[static_cast<std::size_t>(series)].spec.isDimmed = isDimmed;
    contentChanged();
}

void Chart::setEvents(std::vector<ChartEvent> events) {
    m_content.events = std::move(events);
    contentChanged();
}

void Chart::setStages(std::vector<ChartStage> stages) {
    m_content.stages = std::move(stages);
    contentChanged();
}

void Chart::setReferences(std::vector<ChartReference> references) {
    m_content.references = std::move(references);
    contentChanged();
}

void Chart::clear() {
    ChartContent fresh;
    fresh.title = m_content.title;
    fresh.unit = m_content.unit;
    fresh.xName = m_content.xName;
    fresh.isXWhole = m_content.isXWhole;
    unpin();
    m_content = std::move(fresh);
    contentChanged();
    Q_EMIT extentChanged();
}

void Chart::setEmptyText(const QString& sentence, const QString& action) {
    m_emptySentence = sentence;
    m_emptyActionText = action;
    updateEmptyState();
}

void Chart::setXNote(std::function<QString(double)> note) {
    m_xNote = std::move(note);
}

void Chart::setLinkedExtent(std::optional<std::pair<double, double>> extent) {
    if (m_content.linkedExtent == extent) return;
    m_content.linkedExtent = extent;
    if (m_view.x.isFitted) requestFrame();
}

bool Chart::needsRemarkRow() const {
    return m_scene->needsRemarkRow();
}

void Chart::setRemarkRow(bool isKept) {
    if (m_scene->hasRemarkRow() == isKept) return;
    m_scene->setRemarkRow(isKept);
    requestFrame();
}

std::optional<std::pair<double, double>> Chart::extent() const {
    std::optional<std::pair<double, double>> all;
    for (const ChartContent::Entry& entry : m_content.series) {
        if (entry.points.isEmpty() || !isShown(entry, m_view)) continue;
        if (!all) all = {entry.points.firstX(), entry.points.lastX()};
        all->first = std::min(all->first, entry.points.firstX());
        all->second = std::max(all->second, entry.points.lastX());
    }
    return all;
}

AxisView Chart::shownX() const {
    return m_scene->view().x;
}

AxisView Chart::shownY() const {
    return m_scene->view().y;
}

QRectF Chart::plotRect() const {
    return m_scene->geometry().plot();
}

QPointF Chart::pixelOf(double x, double y) const {
    return {m_scene->geometry().pixelX(x), m_scene->geometry().pixelY(y)};
}

std::optional<double> Chart::crosshair() const {
    return m_scene->overlay().crosshair;
}

void Chart::contentChanged() {
    updateEmptyState();
    requestFrame();
}

void Chart::updateEmptyState() {
    const bool hasPoints = m_content.numPoints() > 0;
    const bool isAnyShown =
        std::ranges::any_of(m_content.series, [this](const ChartContent::Entry& entry) {
            return isShown(entry, m_view) && !entry.points.isEmpty();
        });
    const QString action = hasPoints ? QStringLiteral("Show all lines") : m_emptyActionText;
    m_emptyText->setText(
        hasPoints
            ? QStringLiteral("All %1 lines are hidden in the legend").arg(m_content.series.size())
            : m_emptySentence);
    m_emptyAction->setText(action);
    m_emptyAction->setVisible(!action.isEmpty());
    m_empty->setVisible(!isAnyShown);
}

void Chart::requestFrame() {
    m_isFrameDue = true;
    startFrame();
}

/// A chart that is shown again may be of several sizes one after the other, the last one that of
/// its picture: then there is nothing to draw.
bool Chart::isDrawn() const {
    return !m_isFrameDue && QSizeF(size()) * devicePixelRatioF() == m_drawnSize;
}

void Chart::startFrame() {
    if (!isVisible() || m_frameTimer.isActive()) return;
    const auto since = static_cast<int>(std::min<qint64>(m_sinceFrame.elapsed(), kFrameMs));
    m_frameTimer.start(kFrameMs - since);
}

bool Chart::isSettled() const {
    return !m_isFrameDue && !m_frameTimer.isActive() && !m_smoothingTimer.isActive();
}

void Chart::finishFrame() {
    if (m_isFrameDue) drawFrame();
}

void Chart::noteFrameTime(double cpuBefore) {
    if (m_frameTimes.size() < kMostFrameTimes) m_frameTimes.push_back(threadCpuMs() - cpuBefore);
}

std::vector<double> Chart::takeFrameTimes() {
    return std::exchange(m_frameTimes, {});
}

void Chart::drawFrame() {
    m_frameTimer.stop();
    if (!isVisible() || isDrawn()) return;
    const double before = threadCpuMs();
    m_sinceFrame.restart();
    m_isFrameDue = false;
    m_drawnSize = QSizeF(size()) * devicePixelRatioF();
    if (advanceSmoothing(m_content, m_view.smoothing, kFrameSlice) > 0) m_smoothingTimer.start(0);
    m_statistics = statisticsRows(m_content, m_view);
    Q_EMIT statisticsChanged();
    const bool neededRow = needsRemarkRow();
    m_scene->prepare(m_view, m_scene->plot()->size(), devicePixelRatioF());
    if (needsRemarkRow() != neededRow) Q_EMIT remarkRowChanged();
    placeParts();
    if (m_view.isTable) m_tableModel->refresh(m_scene->view());
    updateOverlay(m_pointer, m_isPointerInside);
    if (!m_view.isTable) m_scene->draw();
    setAccessibleDescription(chartDescription(m_content, m_scene->view(), m_scene->drawn()));
    noteFrameTime(before);
}

bool Chart::continueSmoothing() {
    const std::int64_t missing = advanceSmoothing(m_content, m_view.smoothing, kSmoothingSlice);
    if (missing == 0 || m_sinceFrame.elapsed() > kSmoothingFrameMs)
        requestFrame();
    else
        m_smoothingTimer.start(0);
    return missing == 0;
}

void Chart::placeParts() {
    const QRect all = rect();
    m_scene->setPlace(all);
    m_scene->plot()->setVisible(!m_view.isTable);
    if (m_view.isTable && !m_twin) makeTwin();
    if (m_twin) {
        m_twin->setGeometry(all);
        m_twin->setVisible(m_view.isTable);
        m_twinTitle->setText(m_content.title);
    }
    m_empty->setGeometry(all.adjusted(12, 36, -12, -28));
    m_empty->raise();
    m_reset->setVisible(isZoomed() && !m_view.isTable && m_content.numPoints() > 0);
    if (m_reset->isHidden()) return;
    m_reset->adjustSize();
    const QPointF corner = m_scene->geometry().plot().topRight();
    m_reset->move(static_cast<int>(corner.x()) - m_reset->width() - 4,
                  static_cast<int>(corner.y()) + 4);
    m_reset->raise();
}

void Chart::updateOverlay(const QPointF& pointer, bool withReadout) {
    ChartOverlay& overlay = m_scene->overlay();
    overlay.cursorA = m_view.cursorA;
    overlay.cursorB = m_view.cursorB;
    overlay.hasFocus = hasFocus();
    overlay.dots.clear();
    if (!overlay.crosshair) {
        if (m_readout) m_readout->hide();
        return;
    }
    const ChartReading reading = readChartAt(*m_scene, m_content, *overlay.crosshair, pointer);
    for (const ChartReading::Line& line : reading.lines)
        if (std::isfinite(line.at.y())) overlay.dots.push_back({line.at, line.color});
    const double at = m_scene->geometry().pixelX(reading.x);
    const QRectF& plot = m_scene->geometry().plot();
    const bool isSeen = at >= plot.left() - 1 && at <= plot.right() + 1;
    if ((withReadout || isPinned()) && isSeen && !m_view.isTable)
        readout().show(reading, *m_scene, m_content.xName,
                       m_xNote ? m_xNote(reading.x) : QString());
    else if (m_readout)
        m_readout->hide();
}

void Chart::drawOverlayTimed() {
    if (m_isFrameDue || !isVisible()) return;  // the frame draws it too
    const double before = threadCpuMs();
    updateOverlay(m_pointer, m_isPointerInside);
    m_scene->drawOverlay();
    noteFrameTime(before);
}

QString Chart::readingTsv() const {
    if (m_readout && !m_readout->isHidden()) return m_readout->table()->cellModel()->tsv();
    if (m_statistics.rows.empty()) return {};
    CellModel model;
    model.setTable(m_statistics.headers, m_statistics.rows);
    return model.tsv();
}

}  // namespace orrery
