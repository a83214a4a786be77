#include "widgets/imgui/solver_timeline.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/selection.h"
#include "widgets/imgui/gl_loader.h"
#include "widgets/imgui/trace_text.h"
#include "widgets/imgui/work_canvas.h"

namespace orrery {

namespace {

constexpr double kZoomStep = 1.6;

/// Of a timeline that is not empty: "2 threads · 1.24 s · 92 % busy · 41 208 states solved"
QString factsOf(const SpanTimeline& timeline) {
    std::int64_t busy = 0, states = 0;
    std::optional<SpanRange> all;
    for (const SpanPlace& place : timeline.places()) {
        const StageSpan& span = timeline.spanAt(place);
        busy += timeline.busyNs(place);
        if (!all) all = {span.beginNs(), span.endNs()};
        all = {std::min(all->beginNs, span.beginNs()), std::max(all->endNs, span.endNs())};
        if (span.kind() == WorkKind::kSolve) states += timeline.workAt(place).states;
    }
    const int threads = static_cast<int>(timeline.lanes.size());
    const auto length = static_cast<double>(all->lengthNs());
    const double share =
        length > 0 && threads > 0 ? static_cast<double>(busy) / length / threads : 0;
    return QObject::tr("%n thread(s)", nullptr, threads)
               .replace(QStringLiteral("(s)"), threads == 1 ? QString() : QStringLiteral("s")) +
           QStringLiteral(" · %1 · %2 % busy · %3 states solved")
               .arg(spanText(length))
               .arg(static_cast<int>(std::lround(100 * share)))
               .arg(countText(states));
}

}  // namespace

SolverTimeline::SolverTimeline(PlanSession* session, QWidget* parent)
    : QWidget(parent), m_session(session) {
    setObjectName(QStringLiteral("solverTimeline"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QWidget(this);
    bar->setFixedHeight(40);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(16, 0, 8, 0);
    row->setSpacing(4);
    m_facts = makeLabel(QString(), "label", bar);
    m_facts->setObjectName(QStringLiteral("solverTimelineFacts"));
    m_facts->setMinimumWidth(40);
    row->addWidget(m_facts, 1);
    const auto addButton = [&](const QString& text, const QString& name, const QString& tip,
                               const std::function<void()>& press) {
        auto* button = new QPushButton(text, bar);
        button->setObjectName(name);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        connect(button, &QPushButton::clicked, this, press);
        row->addWidget(button);
        m_zoomButtons.append(button);
    };
    addButton(QStringLiteral("−"), QStringLiteral("solverTimelineZoomOut"), tr("Show more time"),
              [this] { m_canvas->zoomBy(1 / kZoomStep); });
    addButton(QStringLiteral("+"), QStringLiteral("solverTimelineZoomIn"), tr("Show less time"),
              [this] { m_canvas->zoomBy(kZoomStep); });
    addButton(tr("All"), QStringLiteral("solverTimelineFit"), tr("Show the whole run"),
              [this] { m_canvas->fit(); });
    column->addWidget(bar);
    column->addWidget(makeLine(this));
    m_pages = new QStackedWidget(this);
    column->addWidget(m_pages, 1);
    m_empty = makeEmptyPage();
    m_pages->addWidget(m_empty);
    refresh();
}

QWidget* SolverTimeline::makeEmptyPage() {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->addStretch(1);
    QLabel* text = makeLabel(tr("Solve the world to see what each thread does."), "label", page);
    text->setAlignment(Qt::AlignCenter);
    column->addWidget(text);
    auto* solve = new QPushButton(tr("Solve"), page);
    solve->setObjectName(QStringLiteral("solverTimelineSolve"));
    connect(solve, &QPushButton::clicked, this, &SolverTimeline::solveRequested);
    column->addWidget(solve, 0, Qt::AlignHCenter);
    column->addStretch(1);
    return page;
}

QWidget* SolverTimeline::makeTablePage(const QString& reason) {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(16, 8, 16, 8);
    QLabel* text = makeLabel(tr("%1 The timeline is shown as a table.").arg(reason), "label", page);
    text->setObjectName(QStringLiteral("solverTimelineReason"));
    text->setWordWrap(true);
    column->addWidget(text);
    m_table = new QTableView(page);
    m_table->setObjectName(QStringLiteral("solverTimelineTable"));
    m_table->setAccessibleName(tr("Solver timeline"));
    m_table->setModel(&m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) { pickRow(now.row()); });
    column->addWidget(m_table, 1);
    return page;
}

void SolverTimeline::makePages() {
    if (m_full != nullptr) return;
    QString reason;
    if (ImGuiHost::isAvailable(&reason)) {
        m_canvas = new WorkCanvas(&m_session->selection(), this);
        connect(m_canvas, &WorkCanvas::levelPicked, this, &SolverTimeline::pickLevel);
        m_full = m_canvas;
    } else {
        m_isTableUsed = true;
        m_full = makeTablePage(reason);
    }
    m_pages->addWidget(m_full);
    refresh();
}

void SolverTimeline::setTimeline(std::shared_ptr<const SpanTimeline> timeline, bool isLive) {
    if (timeline == m_timeline && isLive == m_isLive) return;
    m_timeline = std::move(timeline);
    m_isLive = isLive;
    if (isVisible()) refresh();
}

void SolverTimeline::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_full == nullptr) whenGlIsLoaded(this, [this] { makePages(); });
    refresh();
}

void SolverTimeline::refresh() {
    const bool isEmpty = !m_timeline || m_timeline->isEmpty();
    m_facts->setText(isEmpty ? tr("What each thread did when") : factsOf(*m_timeline));
    for (QPushButton* button : m_zoomButtons) button->setVisible(m_canvas != nullptr && !isEmpty);
    if (m_canvas != nullptr) {
        m_canvas->setLive(m_isLive);
        m_canvas->setTimeline(m_timeline);
    }
    if (m_isTableUsed) m_model.setTimeline(m_timeline);
    m_pages->setCurrentWidget(isEmpty || m_full == nullptr ? m_empty : m_full);
}

QAbstractItemModel* SolverTimeline::tableModel() {
    m_isTableUsed = true;
    m_model.setTimeline(m_timeline);
    return &m_model;
}

void SolverTimeline::pickLevel(int step) {
    const auto solution = m_session->solution();
    if (solution && step < solution->graph().numLevels())
        m_session->showLevel(step);
    else
        m_session->selection().setCurrent(LevelItem{step});
}

void SolverTimeline::pickRow(int row) {
    if (!m_timeline || row < 0 || row >= m_model.rowCount()) return;
    const int level = m_timeline->workAt(m_model.rows()[static_cast<std::size_t>(row)]).level;
    if (level >= 0) pickLevel(level);
}

}  // namespace orrery
