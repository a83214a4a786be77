#include "widgets/dag/hit_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/solve/solution.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/dag/selected_marks.h"

namespace orrery {

namespace {

using States = std::vector<State>;

bool isBefore(const State& a, const State& b) {
    return a.step != b.step ? a.step < b.step : a.config < b.config;
}

/// By value, what has none at the end; equal values by step and number.
void sortByValue(States& states, const Solution& solution, const ValueOf& quantity, bool isUpward) {
    struct Row {
        double value;
        State state;
    };
    std::vector<Row> rows;
    rows.reserve(states.size());
    for (const State& state : states) {
        const double value = storedValueOf(solution, state, quantity);
        const double last = std::numeric_limits<double>::infinity();
        rows.push_back({std::isnan(value) ? last : isUpward ? value : -value, state});
    }
    std::ranges::sort(rows, [](const Row& a, const Row& b) {
        return a.value != b.value ? a.value < b.value : isBefore(a.state, b.state);
    });
    std::ranges::transform(rows, states.begin(), &Row::state);
}

std::vector<TableColumn> hitColumns(const QString& value) {
    return {{HitModel::tr("World")},
            {QStringLiteral("t"), CellFace::Number},
            {HitModel::tr("state"), CellFace::Number},
            {value, CellFace::Number}};
}

}  // namespace

HitModel::HitModel(PlanSession* session, QObject* parent)
    : TableModel(hitColumns(tr("value")), parent),
      m_session(session),
      m_worker(new BackgroundWorker(this)) {
    connect(session, &PlanSession::solutionChanged, this, &HitModel::refreshSolution);
    connect(session, &PlanSession::worldChanged, this, &HitModel::refreshSolution);
    connect(&session->selection(), &Selection::setChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::State) list();
    });
    refreshSolution();
}

HitModel::~HitModel() {
    delete m_worker;  // before what its jobs touch
}

bool HitModel::isWorking() const {
    return m_worker->numOpenJobs() > 0;
}

void HitModel::refreshSolution() {
    m_worker->stopAll();
    m_solution = m_session->solution();
    const auto graph = m_solution ? m_solution->graphPointer() : nullptr;
    const bool isOther = graph != m_graph;
    m_graph = graph;
    m_quantity = bandQuantities(m_solution.get()).front();
    setColumns(hitColumns(m_quantity ? nameOf(m_quantity, m_session->world(), m_session->letters())
                                     : tr("value")));
    // The set of another graph is searched anew by who has found it.
    if (isOther && m_session->selection().stateMarks()) return take({});
    list();
}

void HitModel::list() {
    m_worker->stopAll();
    const auto marks = m_graph ? selectedMarks(m_session->selection(), *m_graph) : nullptr;
    m_total = marks ? marks->total() : 0;
    if (m_total == 0 || marks->numLevels() != m_graph->numLevels()) return take({});
    m_worker->append<States>(
        [marks, order = m_order, solution = m_solution,
         quantity = m_quantity](std::stop_token stop) {
            States states = marks->first(kMost);
            const bool isUpward = order.direction == Qt::AscendingOrder;
            if (stop.stop_requested()) return States();
            if (order.column == Value && quantity)
                sortByValue(states, *solution, *quantity, isUpward);
            else if (order.column == StateNumber)
                std::ranges::sort(states, [isUpward](const State& a, const State& b) {
                    if (a.config != b.config) return (a.config < b.config) == isUpward;
                    return a.step < b.step;
                });
            else if (!isUpward)
                std::ranges::stable_sort(
                    states, [](const State& a, const State& b) { return a.step > b.step; });
            return states;
        },
        [this](States states) { take(std::move(states)); }, [this](const QString&) { take({}); });
}

void HitModel::take(States states) {
    beginResetModel();
    m_states = std::move(states);
    if (m_states.empty()) m_total = 0;
    endResetModel();
    Q_EMIT listed();
    if (const auto isForward = std::exchange(m_walk, std::nullopt)) walk(*isForward);
}

void HitModel::sort(int column, Qt::SortOrder direction) {
    if (column == Picture || (column == m_order.column && direction == m_order.direction)) return;
    m_order = {column, direction};
    list();
}

int HitModel::rowOf(State state) const {
    const auto found = std::ranges::find(m_states, state);
    return found == m_states.end() ? -1 : static_cast<int>(found - m_states.begin());
}

void HitModel::goTo(int row) {
    const State state = stateAt(row);
    const auto words = m_graph->configuration(state.config);
    const StateItem item{state.step, {words.begin(), words.end()}, state.config};
    m_session->selection().setCurrent({item, StepItem{state.step}, LevelItem{state.step}});
}

/// From a state that is no hit the walk goes to the nearest one in time, where the rows are so.
int HitModel::rowAfterCurrent(bool isForward) const {
    const int size = rowCount();
    const auto current = m_session->graphState();
    const int row = current ? rowOf(*current) : -1;
    if (row >= 0) return (row + (isForward ? 1 : size - 1)) % size;
    const bool isByTime = m_order.column == Step && m_order.direction == Qt::AscendingOrder;
    if (!current || !isByTime) return isForward ? 0 : size - 1;
    const auto next = std::ranges::lower_bound(m_states, *current, isBefore) - m_states.begin();
    return static_cast<int>(isForward ? next % size : (next + size - 1) % size);
}

void HitModel::walk(bool isForward) {
    if (isWorking())
        m_walk = isForward;
    else if (!m_states.empty())
        goTo(rowAfterCurrent(isForward));
}

int HitModel::numRows() const {
    return static_cast<int>(m_states.size());
}

QString HitModel::text(int row, int column) const {
    const State state = stateAt(row);
    switch (column) {
        case Step:
            return QString::number(state.step);
        case StateNumber:
            return countText(state.config);
        case Value: {
            const double value =
                m_quantity ? storedValueOf(*m_solution, state, *m_quantity) : std::nan("");
            return std::isnan(value) ? QStringLiteral("–") : valueText(value);
        }
        default:
            return {};
    }
}

}  // namespace orrery
