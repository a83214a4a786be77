#include "widgets/dag/state_canvas.h"

#include <QEvent>
#include <QStyle>
#include <QTimer>
#include <QVariantAnimation>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "core/base/thread_team.h"
#include "core/solve/solution.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/dag/card_pictures.h"
#include "widgets/world/world_painter.h"

namespace orrery {

namespace {

constexpr int kMostOrigins = 4;  ///< that are opened unasked
constexpr std::size_t kMaxMoving = 300;
constexpr int kMotionMs = 200, kPatienceMs = 200;

}  // namespace

StateCanvas::StateCanvas(PlanSession* session, QWidget* parent)
    : PaintedWidget(parent),
      m_session(session),
      m_worker(new BackgroundWorker(this)),
      m_pictures(new CardPictures(QSize(kCardWidth - 10, kCardHeight - 30), this)),
      m_motion(new QVariantAnimation(this)),
      m_patience(new QTimer(this)) {
    setObjectName(QStringLiteral("stateCanvas"));
    setAccessibleName(tr("States around the current one"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_motion->setDuration(kMotionMs);
    m_motion->setStartValue(0.0);
    m_motion->setEndValue(1.0);
    m_motion->setEasingCurve(QEasingCurve::OutCubic);
    connect(m_motion, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
    connect(m_motion, &QVariantAnimation::finished, this, [this] {
        m_movesFrom.clear();
        update();
    });
    m_patience->setSingleShot(true);
    connect(m_patience, &QTimer::timeout, this, [this] {
        m_isSlow = isWorking();
        update();
    });
    connect(m_pictures, &CardPictures::ready, this, qOverload<>(&QWidget::update));
    connect(session, &PlanSession::solutionChanged, this, &StateCanvas::refreshSolution);
    connect(session, &PlanSession::stateChanged, this, &StateCanvas::refreshState);
    connect(session, &PlanSession::jointActionChanged, this, [this] {
        if (m_rule == EdgeRule::JointAction && m_solution) restart();
    });
    connect(&session->selection(), &Selection::hoverChanged, this, qOverload<>(&QWidget::update));
    connect(&session->selection(), &Selection::setChanged, this, qOverload<>(&QWidget::update));
    refreshSolution();
}

StateCanvas::~StateCanvas() {
    delete m_worker;  // before what its jobs touch
}

bool StateCanvas::isWorking() const {
    return m_worker->numOpenJobs() > 0;
}

bool StateCanvas::isMoving() const {
    return !m_movesFrom.empty();
}

std::optional<State> StateCanvas::current() const {
    return m_solution ? m_session->graphState() : std::nullopt;
}

void StateCanvas::setRule(EdgeRule rule) {
    if (rule == m_rule) return;
    m_rule = rule;
    restart();
}

void StateCanvas::refreshSolution() {
    m_worker->stopAll();
    const auto former = std::exchange(m_solution, m_session->solution());
    // Other values of the same graph: what was opened stays, unless the edges follow the values.
    if (former && m_solution && former->graphPointer() == m_solution->graphPointer() &&
        m_rule != EdgeRule::Policies)
        return afterChange();
    m_graph = {};
    m_changed.clear();
    m_highlighted.reset();
    m_numStates = 0;
    restartPictures();
    if (m_solution) {
        const StateGraph& graph = m_solution->graph();
        for (int step = 0; step < graph.numLevels(); ++step) m_numStates += graph.levelSize(step);
        if (m_solution->spec().phase1Only && m_rule == EdgeRule::Policies)
            m_rule = EdgeRule::AnyAction;
        restart();
    } else {
        afterChange();
    }
}

void StateCanvas::restart() {
    m_worker->stopAll();
    m_isSlow = false;
    m_isNearest = true;
    m_rows = numReadableRows();
    m_changed.clear();
    const auto state = current();
    m_graph = {};
    if (state) {
        m_graph.restart(*state);
        m_highlighted = state;
        requestNearest(*state, Fit::IfUntouched);
    }
    afterChange();
}

void StateCanvas::requestNearest(State centre, Fit fit) {
    // What may follow is found at once; what may have led here takes a search.
    const int rows = numReadableRows();
    NeighbourhoodSpec side{.maxEnds = static_cast<std::size_t>(rows),
                           .maxOrigins = static_cast<std::size_t>(std::min(rows, kMostOrigins))};
    side.backward = 0;
    request(centre, side, fit);
    std::swap(side.forward, side.backward);
    request(centre, side, fit);
}

void StateCanvas::refreshState() {
    const auto state = current();
    if (!state) return afterChange();
    const bool isPicking = std::exchange(m_isPicking, false);
    if (!m_graph.find(*state)) return restart();
    m_graph.addRoot(*state);
    m_highlighted = state;
    if (!isPicking && (!m_graph.isOpen(*state, true) || !m_graph.isOpen(*state, false)))
        requestNearest(*state, Fit::IfUntouched);
    else
        highlightLikeliest();
    m_isNearest = false;
    afterChange();
    if (isPicking || m_isTouched)
        reveal(*m_graph.find(*state), !isPicking);
    else
        zoomToFit();
}

void StateCanvas::showHops(int hops) {
    m_isNearest = false;
    if (const auto state = current())
        request(*state, {.forward = hops, .backward = hops, .maxStates = CanvasGraph::kMaxNodes},
                Fit::Yes);
}

void StateCanvas::toggle(State state, bool isForward) {
    m_isNearest = false;
    const auto at = m_graph.find(state);
    const bool isWhole =
        at && m_graph.nodes()[static_cast<std::size_t>(*at)].numLeftOut[isForward] == 0;
    if (m_graph.isOpen(state, isForward) && isWhole) {
        m_graph.close(state, isForward);
        afterChange();
        if (m_graph.find(state)) reveal(*m_graph.find(state));
        return;
    }
    request(state, {.forward = isForward ? 1 : 0, .backward = isForward ? 0 : 1}, Fit::No);
}

void StateCanvas::showPath(const std::vector<WeightedState>& path) {
    if (path.empty() || !m_solution) return;
    m_isNearest = false;
    if (!m_graph.find(path.front().state)) m_graph.addRoot(path.front().state);
    for (std::size_t i = 0; i + 1 < path.size(); ++i) m_graph.addEdge(path[i].state, path[i + 1]);
    take({}, Fit::Yes);
}

void StateCanvas::request(State centre, const NeighbourhoodSpec& spec, Fit fit) {
    if (!m_solution) return;
    NeighbourhoodSpec limits = spec;
    limits.threads = processorCount();
    limits.maxStates = CanvasGraph::kMaxNodes;
    m_patience->start(kPatienceMs);
    using Found = std::optional<Neighbourhood>;
    m_worker->append<Found>(
        [solution = m_solution, centre, limits,
         edges = edgesOf(m_solution, m_rule, m_session->profile())](std::stop_token stop) {
            return neighbourhood(solution->graph(), centre, limits, edges, stop);
        },
        [this, fit](const Found& found) {
            if (found) take(*found, fit);
        },
        [this](const QString& text) { Q_EMIT failed(text); });
}

void StateCanvas::take(const Neighbourhood& neighbourhood, Fit fit) {
    std::map<std::pair<int, ConfigIndex>, QPointF> before;
    for (const CanvasNode& node : m_graph.nodes())
        before[{node.state.step, node.state.config}] = QPointF(node.x, node.y);
    const bool wasEmpty = before.size() < 2;
    m_isSlow = false;
    m_graph.open(neighbourhood);
    m_movesFrom.clear();
    m_motion->stop();
    // Thousands of cards cannot move smoothly.
    const bool isMoving = !wasEmpty && m_graph.nodes().size() <= kMaxMoving &&
                          style()->styleHint(QStyle::SH_Widget_Animation_Duration) > 0;
    if (isMoving) {
        for (const CanvasNode& node : m_graph.nodes()) {
            // A new node comes out of the one that it was opened from.
            const CanvasNode* from = &node;
            while (!before.contains({from->state.step, from->state.config}) && from->parent >= 0)
                from = &m_graph.nodes()[static_cast<std::size_t>(from->parent)];
            const auto old = before.find({from->state.step, from->state.config});
            m_movesFrom.push_back(old == before.end() ? QPointF(node.x, node.y) : old->second);
        }
        m_motion->start();
    }
    highlightLikeliest();
    afterChange();
    if (wasEmpty || fit == Fit::Yes || (fit == Fit::IfUntouched && !m_isTouched))
        zoomToFit();
    else
        // The current state last: if both do not fit, it is the one that stays in view.
        for (const auto& state : {m_highlighted, current()})
            if (const auto node = state ? m_graph.find(*state) : std::nullopt) reveal(*node);
}

void StateCanvas::afterChange() {
    m_changed.clear();
    m_edgeOrder.resize(m_graph.edges().size());
    std::iota(m_edgeOrder.begin(), m_edgeOrder.end(), 0);
    std::ranges::stable_sort(m_edgeOrder, std::ranges::greater{}, [this](int edge) {
        return m_graph.edges()[static_cast<std::size_t>(edge)].probability;
    });
    if (m_highlighted && !m_graph.find(*m_highlighted)) m_highlighted = current();
    if (const auto state = current())
        setAccessibleDescription(tr("State %1 of level %2; %3 states shown")
                                     .arg(state->config)
                                     .arg(state->step)
                                     .arg(m_graph.nodes().size()));
    update();
    Q_EMIT shown();
}

StateItem StateCanvas::itemOf(State state) const {
    const auto words = m_solution->graph().configuration(state.config);
    return {state.step, {words.begin(), words.end()}, static_cast<std::int64_t>(state.config)};
}

void StateCanvas::makeCurrent(State state) {
    m_session->selection().setCurrent({itemOf(state), StepItem{state.step}, LevelItem{state.step}});
}

void StateCanvas::follow() {
    const auto now = current();
    if (!now || !m_highlighted) return;
    const auto& rows = m_session->successors();
    if (*m_highlighted == *now) {  // no successor is shown: the likeliest under the joint action
        const auto likeliest = std::ranges::max_element(rows, {}, &SuccessorRow::probability);
        if (likeliest != rows.end())
            m_session->follow(static_cast<std::size_t>(likeliest - rows.begin()));
        return;
    }
    // An edge of another joint action is walked by that one, so that the walk goes on.
    if (!m_session->followTo(itemOf(*m_highlighted))) makeCurrent(*m_highlighted);
}

void StateCanvas::highlightLikeliest() {
    const auto state = current();
    if (!state || !m_graph.find(*state)) return;
    m_highlighted = state;
    highlightSideways(true);
}

void StateCanvas::highlightSideways(bool isForward) {
    const auto at = m_highlighted ? m_graph.find(*m_highlighted) : std::nullopt;
    if (!at) return;
    const CanvasEdge* best = nullptr;
    for (const CanvasEdge& edge : m_graph.edges())
        if ((isForward ? edge.from : edge.to) == *at &&
            (!best || edge.probability > best->probability))
            best = &edge;
    if (!best) return;
    const int node = isForward ? best->to : best->from;
    m_highlighted = m_graph.nodes()[static_cast<std::size_t>(node)].state;
    update();
}

void StateCanvas::highlightInColumn(int direction) {
    const auto at = m_highlighted ? m_graph.find(*m_highlighted) : std::nullopt;
    if (!at) return;
    const CanvasNode& here = m_graph.nodes()[static_cast<std::size_t>(*at)];
    const CanvasNode* best = nullptr;
    for (const CanvasNode& node : m_graph.nodes())
        if (node.state.step == here.state.step && (node.y - here.y) * direction > 0 &&
            (!best || std::abs(node.y - here.y) < std::abs(best->y - here.y)))
            best = &node;
    if (!best) return;
    m_highlighted = best->state;
    reveal(*m_graph.find(*m_highlighted));
    update();
}

const std::vector<QPoint>& StateCanvas::changedIn(int node) {
    const auto [at, isNew] = m_changed.try_emplace(node);
    const CanvasNode& shown = m_graph.nodes()[static_cast<std::size_t>(node)];
    if (isNew && shown.parent >= 0) {
        const State from = m_graph.nodes()[static_cast<std::size_t>(shown.parent)].state;
        const StateGraph& graph = m_solution->graph();
        if (from.step < shown.state.step)
            at->second = changedCells(graph.world(), graph.configuration(from.config),
                                      graph.configuration(shown.state.config));
    }
    return at->second;
}

void StateCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        restartPictures();
        update();
    }
    QWidget::changeEvent(event);
}

void StateCanvas::resizeEvent(QResizeEvent* event) {
    const auto state = current();
    const auto at = state ? m_graph.find(*state) : std::nullopt;
    if (at && m_isNearest && !m_isTouched && numReadableRows() != m_rows)
        restart();
    else if (at && m_graph.nodes().size() < 100)
        zoomToFit();
    else if (at)
        reveal(*at);
    QWidget::resizeEvent(event);
}

}  // namespace orrery
