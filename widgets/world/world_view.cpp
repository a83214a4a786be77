#include "widgets/world/world_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr double kLeastZoom = 1, kMostZoom = 12, kDragPixels = 4;

}  // namespace

WorldView::WorldView(PlanSession* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_worker(new BackgroundWorker(this)) {
    setObjectName(QStringLiteral("worldView"));
    setAccessibleName(tr("World"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(session, &PlanSession::worldChanged, this, &WorldView::zoomToFit);
    connect(session, &PlanSession::stateChanged, this, &WorldView::refreshState);
    connect(session, &PlanSession::solutionChanged, this, &WorldView::requestHeat);
    connect(session, &PlanSession::jointActionChanged, this, &WorldView::refreshGhosts);
    connect(&session->selection(), &Selection::hoverChanged, this, &WorldView::refreshGhosts);
    connect(&session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Goal || kind == SelectionKind::Human ||
            kind == SelectionKind::Agent)
            requestHeat();
        if (kind != SelectionKind::State) refreshMarks();
    });
}

WorldView::~WorldView() = default;

void WorldView::setHeatMode(HeatMode mode) {
    if (mode == m_heatMode) return;
    m_heatMode = mode;
    requestHeat();
}

void WorldView::setShowsGoals(bool shows) {
    m_showsGoals = shows;
    refreshMarks();
}

void WorldView::setShowsArrows(bool shows) {
    m_showsArrows = shows;
    m_scene.showArrows = shows;
    requestHeat();
    update();
}

void WorldView::setShowsGhosts(bool shows) {
    m_showsGhosts = shows;
    refreshGhosts();
}

void WorldView::zoomBy(double factor) {
    const double zoom = std::clamp(m_zoom * factor, kLeastZoom, kMostZoom);
    m_pan *= zoom / m_zoom;
    m_zoom = zoom;
    if (m_zoom <= kLeastZoom) m_pan = {};
    update();
}

void WorldView::zoomToFit() {
    m_zoom = kLeastZoom;
    m_pan = {};
    update();
}

WorldScene WorldView::exportScene() const {
    WorldScene scene = m_scene;
    scene.hover.reset();
    return scene;
}

WorldLayout WorldView::worldLayout() const {
    return layoutWorld(rect(), m_scene, m_zoom, m_pan);
}

bool WorldView::isComputingHeat() const {
    return m_worker->numOpenJobs() > 0;
}

void WorldView::refreshState() {
    if (!m_session->isOpen()) return;
    m_scene = sceneOf(m_session->world(), m_session->state().words);
    m_scene.showArrows = m_showsArrows;
    const auto& walk = m_session->walk();
    if (m_session->walkIndex() > 0)
        m_scene.changed =
            changedCells(m_session->world(), walk[m_session->walkIndex() - 1].state.words,
                         m_session->state().words);
    requestHeat();
    refreshGhosts();
}

void WorldView::refreshGhosts() {
    if (!m_session->isOpen()) return;
    m_scene.ghosts.clear();
    const auto& rows = m_session->successors();
    const auto& hover = m_session->selection().hover();
    const auto* hovered = hover ? std::get_if<StateItem>(&*hover) : nullptr;
    std::vector<Outcome> outcomes;
    for (const SuccessorRow& row : rows)
        if (hovered ? row.state == *hovered : m_showsGhosts)
            outcomes.push_back({row.probability, row.state.words});
    m_scene.ghosts = ghostsOf(m_session->world(), m_session->state().words, outcomes);
    refreshMarks();
}

void WorldView::refreshMarks() {
    if (!m_session->isOpen()) return;
    const Selection& selection = m_session->selection();
    m_scene.showGoals = m_showsGoals;
    const auto* goal = selection.current<GoalItem>();
    for (GoalMark& mark : m_scene.goals)
        mark.isCurrent = goal && mark.human == goal->human && mark.goal == goal->goal;
    m_scene.hover.reset();
    if (selection.hover())
        if (const auto* cell = std::get_if<CellItem>(&*selection.hover()))
            m_scene.hover = QPoint(cell->x, cell->y);
    m_scene.current.reset();
    if (const auto* agent = selection.current<AgentItem>();
        agent && agent->agent < m_session->world().numAgents()) {
        const int cell = m_session->world().cellOf(m_session->state().words, agent->agent);
        m_scene.current = QPoint(cell % m_scene.width, cell / m_scene.width);
    } else if (const auto* cell = selection.current<CellItem>()) {
        m_scene.current = QPoint(cell->x, cell->y);
    }
    update();
    Q_EMIT sceneChanged();
}

std::optional<HeatRequest> WorldView::wantedHeat() const {
    const auto state = m_session->isOpen() ? m_session->graphState() : std::nullopt;
    if (!state || m_heatMode == HeatMode::None) return std::nullopt;
    HeatRequest request;
    request.state = *state;
    request.withArrows = m_showsArrows;
    const Selection& selection = m_session->selection();
    if (m_heatMode == HeatMode::RobotValue) {
        const auto* agent = selection.current<AgentItem>();
        const std::vector<int> robots = m_session->world().robots();
        request.agent = agent ? agent->agent : robots.empty() ? 0 : robots.front();
        return request;
    }
    const auto* goal = selection.current<GoalItem>();
    if (!goal) return std::nullopt;
    request.human = goal->human;
    request.goal = goal->goal;
    request.agent = m_session->world().goals()[static_cast<std::size_t>(goal->human)].agent;
    return request;
}

void WorldView::requestHeat() {
    const auto wanted = wantedHeat();
    if (!wanted) {
        m_worker->stopAll();
        m_scene.heat.reset();
        update();
        Q_EMIT sceneChanged();
        return;
    }
    if (m_scene.heat && m_scene.heat->request == *wanted) return;
    using Field = std::shared_ptr<const HeatField>;
    m_worker->replace<Field>(
        [solution = m_session->solution(), request = *wanted](std::stop_token stop) {
            return computeHeat(*solution, request, stop);
        },
        [this](Field field) {
            if (!field || wantedHeat() != field->request) return;
            m_scene.heat = std::move(field);
            update();
            Q_EMIT sceneChanged();
        },
        [](const QString&) {});
}

void WorldView::paintEvent(QPaintEvent*) {
    const Tokens& tokens = currentTokens();
    QPainter painter(this);
    painter.fillRect(rect(), tokens.canvas);
    if (!m_session->isOpen()) {
        painter.setFont(interfaceFont(13));
        painter.setPen(tokens.text2);
        painter.drawText(rect(), Qt::AlignCenter,
                         tr("No world is open.\nPick an example at the left, or open a file "
                            "with Ctrl+O."));
        return;
    }
    paintWorld(painter, m_scene, worldLayout(), tokens);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(tokens.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void WorldView::mouseMoveEvent(QMouseEvent* event) {
    if (m_dragFrom) {
        const QPointF moved = event->position() - *m_dragFrom;
        m_wasDragged = m_wasDragged || moved.manhattanLength() > kDragPixels;
        if (m_wasDragged && m_zoom > kLeastZoom) {
            m_pan += moved;
            m_dragFrom = event->position();
            update();
        }
        return;
    }
    const auto cell = worldLayout().cellAt(event->position());
    m_session->selection().setHover(
        cell ? std::optional<SelectionItem>(CellItem{cell->x(), cell->y()}) : std::nullopt);
}

void WorldView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
    m_dragFrom = event->position();
    m_wasDragged = false;
}

void WorldView::mouseReleaseEvent(QMouseEvent* event) {
    if (m_dragFrom && !m_wasDragged && event->button() == Qt::LeftButton)
        if (const auto cell = worldLayout().cellAt(event->position())) pickCell(*cell);
    m_dragFrom.reset();
}

void WorldView::leaveEvent(QEvent* event) {
    m_session->selection().setHover(std::nullopt);
    QWidget::leaveEvent(event);
}

void WorldView::wheelEvent(QWheelEvent* event) {
    zoomBy(std::pow(1.0015, event->angleDelta().y()));
    event->accept();
}

void WorldView::keyPressEvent(QKeyEvent* event) {
    if (!m_session->isOpen()) return QWidget::keyPressEvent(event);
    switch (event->key()) {
        case Qt::Key_Left:
            return chooseAction({QStringLiteral("left"), QStringLiteral("west")});
        case Qt::Key_Right:
            return chooseAction({QStringLiteral("right"), QStringLiteral("east")});
        case Qt::Key_Up:
            return chooseAction({QStringLiteral("forward"), QStringLiteral("north")});
        case Qt::Key_Down:
            return chooseAction({QStringLiteral("toggle"), QStringLiteral("south")});
        case Qt::Key_0:
            return chooseAction({QStringLiteral("still"), QStringLiteral("pass")});
        case Qt::Key_Period:
            return chooseNextAgent();
        default:
            return QWidget::keyPressEvent(event);
    }
}

bool WorldView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && m_session->isOpen()) {
        auto* help = static_cast<QHelpEvent*>(event);
        const auto cell = worldLayout().cellAt(help->pos());
        if (cell)
            QToolTip::showText(help->globalPos(), cellText(*cell), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void WorldView::pickCell(const QPoint& cell) {
    std::vector<SelectionItem> items{CellItem{cell.x(), cell.y()}};
    for (const Piece& piece : m_scene.pieces) {
        if (piece.kind != PieceKind::Agent || piece.x != cell.x() || piece.y != cell.y()) continue;
        items.push_back(AgentItem{piece.agent});
        const auto goals = m_session->world().goals();
        for (int h = 0; h < std::ssize(goals); ++h)
            if (goals[static_cast<std::size_t>(h)].agent == piece.agent &&
                !goals[static_cast<std::size_t>(h)].goals.empty()) {
                items.push_back(HumanItem{h});
                const auto* goal = m_session->selection().current<GoalItem>();
                if (!goal || goal->human != h) items.push_back(GoalItem{h, 0});
            }
        m_session->selection().setCurrent(items);
        return;
    }
    m_session->selection().clearCurrent(SelectionKind::Agent);
    m_session->selection().setCurrent(items);
}

QString WorldView::cellText(const QPoint& cell) const {
    QStringList lines{tr("cell %1,%2").arg(cell.x()).arg(cell.y())};
    for (const Piece& piece : m_scene.pieces) {
        if (piece.x != cell.x() || piece.y != cell.y() || piece.kind == PieceKind::Floor) continue;
        if (piece.kind == PieceKind::Agent)
            lines << tr("agent %1").arg(m_scene.letters[static_cast<std::size_t>(piece.agent)]);
        else if (piece.kind == PieceKind::Number)
            lines << tr("density %1").arg(piece.number);
        else
            lines << QString::fromLatin1(pieceName(piece.kind));
    }
    if (m_scene.heat) {
        const HeatCell& heat = m_scene.heat->at(cell.x(), cell.y());
        lines
            << (heat.count == 0 ? tr("no reachable state with the agent here")
                : heat.count == 1
                    ? tr("value %1").arg(valueText(heat.value))
                    : tr("value %1, mean of %2 states").arg(valueText(heat.value)).arg(heat.count));
    }
    return lines.join(u'\n');
}

void WorldView::chooseNextAgent() {
    const auto* agent = m_session->selection().current<AgentItem>();
    const int next = agent ? (agent->agent + 1) % m_session->world().numAgents() : 0;
    m_session->selection().setCurrent(AgentItem{next});
}

void WorldView::chooseAction(const QStringList& names) {
    const auto* current = m_session->selection().current<AgentItem>();
    const int agent = current ? current->agent : 0;
    const auto& actions = m_session->world().agents()[static_cast<std::size_t>(agent)].actions;
    for (std::size_t a = 0; a < actions.size(); ++a)
        if (names.contains(QString::fromStdString(actions[a])))
            m_session->setAction(agent, static_cast<int>(a));
}

}  // namespace orrery
