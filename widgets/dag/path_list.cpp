#include "widgets/dag/path_list.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "core/base/thread_team.h"
#include "core/solve/solution.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/change_text.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/dag/edge_rule.h"
#include "widgets/dag/path_chart.h"

namespace orrery {

namespace {

constexpr std::int64_t kMaxExpanded = 20'000;

QString pathProbabilityText(double probability) {
    return probability >= 0.001 ? QString::number(probability, 'f', 3)
                                : QString::number(probability, 'e', 1);
}

}  // namespace

PathList::PathList(PlanSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_worker(new BackgroundWorker(this)),
      m_kinds(new QComboBox(this)),
      m_probability(makeLabel({}, "number", this)),
      m_remark(makeLabel({}, "hint", this)),
      m_chart(new PathChart(this)),
      m_inGraph(new QPushButton(tr("Show in graph"), this)),
      m_list(new RowList(QStringLiteral("pathRows"), 40, 52, this)),
      m_message(new MessageStrip(this)) {
    setObjectName(QStringLiteral("pathList"));
    setAccessibleName(tr("Path"));
    m_kinds->setObjectName(QStringLiteral("pathKind"));
    m_kinds->setAccessibleName(tr("Which path"));
    m_kinds->addItems({tr("Most probable path from here"), tr("Shortest path from here to the set"),
                       tr("Shortest path from the start to the set")});
    m_probability->setObjectName(QStringLiteral("pathProbability"));
    m_list->setAccessibleName(tr("States of the path"));
    m_remark->setObjectName(QStringLiteral("pathRemark"));
    m_remark->setWordWrap(true);
    m_inGraph->setObjectName(QStringLiteral("pathInGraph"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 6, 16, 0);
    head->addWidget(m_kinds);
    head->addStretch(1);
    head->addWidget(m_probability);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(16, 0, 12, 6);
    foot->addWidget(m_remark, 1);
    foot->addWidget(m_inGraph);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_message->floatOver(this);
    layout->addLayout(head);
    layout->addWidget(m_chart, 2);
    layout->addWidget(m_list, 3);
    layout->addLayout(foot);
    connect(m_kinds, &QComboBox::activated, this,
            [this](int row) { setKind(static_cast<Kind>(row)); });
    connect(m_chart, &PathChart::picked, this, &PathList::goTo);
    connect(m_list, &RowList::picked, this, &PathList::goTo);
    connect(m_inGraph, &QPushButton::clicked, this, &PathList::wantedInGraph);
    connect(session, &PlanSession::solutionChanged, this, &PathList::request);
    connect(session, &PlanSession::stateChanged, this, [this] {
        if (m_isPicking || m_kind == Kind::ShortestFromStart)
            refreshCurrent();
        else
            request();
    });
    connect(&session->selection(), &Selection::setChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::State && m_kind != Kind::MostProbable) request();
    });
    request();
}

PathList::~PathList() {
    delete m_worker;  // before what its jobs touch
}

bool PathList::isWorking() const {
    return m_worker->numOpenJobs() > 0;
}

void PathList::setKind(Kind kind) {
    m_kind = kind;
    const QSignalBlocker blocker(m_kinds);
    m_kinds->setCurrentIndex(static_cast<int>(kind));
    request();
}

void PathList::request() {
    m_worker->stopAll();
    m_message->clear();
    m_solution = m_session->solution();
    const auto state = m_session->graphState();
    if (!m_solution || !state)
        return take({std::nullopt, tr("Solve the world (F5) to see where it leads.")});
    const auto marks = m_session->selection().stateMarks();
    if (m_kind != Kind::MostProbable && !marks)
        return take({std::nullopt, tr("There is no set of states: search for one first.")});
    const State from = m_kind == Kind::ShortestFromStart ? State{0, 0} : *state;
    m_worker->append<Found>(
        [solution = m_solution, kind = m_kind, marks, from](std::stop_token stop) -> Found {
            const StateGraph& graph = solution->graph();
            if (kind == Kind::MostProbable) {
                Found found{mostProbablePath(graph, from, edgesOf(solution, EdgeRule::Policies, 0),
                                             kMaxExpanded, stop),
                            {}};
                if (found.path && !found.path->isProven)
                    found.remark = tr("Likeliest step by step; there may be a likelier path.");
                return found;
            }
            const auto way = shortestPath(graph, from, *marks, processorCount(), stop);
            if (!way) return {};
            if (!way->isFound)
                return {std::nullopt, tr("No way leads from there to a state of the set.")};
            StatePath path;
            for (std::size_t i = 0; i < way->states.size(); ++i) {
                path.states.push_back({way->states[i], i == 0 ? 1 : way->probabilities[i - 1]});
                path.probability *= path.states.back().probability;
            }
            return {path, tr("%1 steps; p under the joint actions that lead there best")
                              .arg(way->states.size() - 1)};
        },
        [this](const Found& found) { take(found); },
        [this](const QString& text) { m_message->show(MessageKind::Error, text); });
}

void PathList::take(const Found& found) {
    m_path = found.path.value_or(StatePath{});
    m_remark->setText(found.path ? found.remark : QString());
    m_chart->setEmptyText(found.remark);
    m_inGraph->setEnabled(found.path.has_value());
    m_probability->setText(
        found.path ? QStringLiteral("p = ") + pathProbabilityText(m_path.probability) : QString());
    std::vector<PathPoint> points;
    if (m_solution && !m_solution->spec().phase1Only)
        for (const WeightedState& step : m_path.states)
            points.push_back({step.state.step, m_solution->v_r(step.state)});
    m_chart->setPoints(std::move(points), QStringLiteral("V_r"));
    refreshCurrent();
    Q_EMIT shown();
}

void PathList::refreshCurrent() {
    std::vector<Row> rows;
    const auto now = m_session->graphState();
    int current = -1;
    for (std::size_t i = 0; i < m_path.states.size(); ++i) {
        const WeightedState& step = m_path.states[i];
        const StateGraph& graph = m_solution->graph();
        Row row;
        row.title = i == 0 ? tr("From here")
                           : changeText(graph.world(), m_session->letters(),
                                        graph.configuration(m_path.states[i - 1].state.config),
                                        graph.configuration(step.state.config));
        row.title.replace(0, 1, row.title.left(1).toUpper());
        row.subtitle = stateText(step.state.step, step.state.config);
        row.share = step.probability;
        row.shareText = QString::number(step.probability, 'f', 2);
        if (!m_solution->spec().phase1Only) {
            row.value = valueText(m_solution->v_r(step.state));
            row.isExact = true;
        }
        row.isCurrent = now == step.state;
        if (row.isCurrent) current = static_cast<int>(i);
        rows.push_back(std::move(row));
    }
    m_list->setRows(std::move(rows));
    m_chart->setCurrent(current);
}

void PathList::goTo(int row) {
    if (row < 0 || row >= std::ssize(m_path.states)) return;
    const State state = m_path.states[static_cast<std::size_t>(row)].state;
    if (m_session->graphState() == state) return;
    const auto words = m_solution->graph().configuration(state.config);
    m_isPicking = true;  // the path stays while a person looks at its states
    m_session->selection().setCurrent(
        {StateItem{
             state.step, {words.begin(), words.end()}, static_cast<std::int64_t>(state.config)},
         StepItem{state.step}, LevelItem{state.step}});
    m_isPicking = false;
}

}  // namespace orrery
