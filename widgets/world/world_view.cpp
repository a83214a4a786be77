#include "widgets/world/world_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/world/play_mode.h"

namespace orrery {

namespace {

constexpr double kLeastViewZoom = 1, kMostViewZoom = 12, kDragPixels = 4;

}  // namespace

WorldView::WorldView(PlanSession* session, QWidget* parent)
    : PaintedWidget(parent),
      m_session(session),
      m_play(new PlayMode(session, this)),
      m_worker(new BackgroundWorker(this)),
      m_arrowWorker(new BackgroundWorker(this)) {
    setObjectName(QStringLiteral("worldView"));
    setAccessibleName(tr("World"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(session, &PlanSession::worldChanged, this, &WorldView::takeWorld);
    connect(session, &PlanSession::stateChanged, this, &WorldView::refreshState);
    connect(session, &PlanSession::solutionChanged, this, [this] {
        // What is drawn stays until that of the new values is there, but it answers no request.
        m_field.reset();
        if (m_scene.arrows) {
            auto former = std::make_shared<ArrowField>(*m_scene.arrows);
            former->request.agent = -1;
            m_scene.arrows = std::move(former);
        }
        refreshHeat();
        refreshArrows();
    });
    connect(session, &PlanSession::jointActionChanged, this, &WorldView::refreshGhosts);
    connect(session, &PlanSession::trialChanged, this, &WorldView::refreshGhosts);
    connect(m_play, &PlayMode::changed, this, &WorldView::refreshGhosts);
    connect(&session->selection(), &Selection::hoverChanged, this, &WorldView::refreshGhosts);
    connect(&session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Goal || kind == SelectionKind::Human ||
            kind == SelectionKind::Agent) {
            refreshHeat();
            refreshArrows();
            refreshVisits();
        }
        if (kind != SelectionKind::State) refreshMarks();
    });
    if (!session->isOpen()) return;
    takeWorld();
    refreshState();
}

WorldView::~WorldView() = default;

void WorldView::takeWorld() {
    // What lies over the cells of another world does not fit.
    m_field.reset();
    m_scene = {};
    zoomToFit();
    const auto choices = arrowChoices(*m_session);
    if (std::ranges::find(choices, m_arrows) == choices.end() || m_arrows.agent < 0)
        m_arrows = choices.size() > 1 ? choices[1] : ArrowChoice();
}

void WorldView::setShowsGoals(bool shows) {
    m_showsGoals = shows;
    refreshMarks();
    Q_EMIT overlayChanged();
}

void WorldView::setShowsVisits(bool shows) {
    m_showsVisits = shows;
    refreshVisits();
    Q_EMIT overlayChanged();
}

void WorldView::setShowsGhosts(bool shows) {
    m_showsGhosts = shows;
    refreshGhosts();
    Q_EMIT overlayChanged();
}

void WorldView::zoomBy(double factor) {
    const double zoom = std::clamp(m_zoom * factor, kLeastViewZoom, kMostViewZoom);
    m_pan *= zoom / m_zoom;
    m_zoom = zoom;
    if (m_zoom <= kLeastViewZoom) m_pan = {};
    update();
}

void WorldView::zoomToFit() {
    m_zoom = kLeastViewZoom;
    m_pan = {};
    update();
}

WorldScene WorldView::exportScene() const {
    WorldScene scene = m_scene;
    scene.hover.reset();
    return scene;
}

WorldLayout WorldView::worldLayout() const {
    WorldLayout layout = layoutWorld(rect(), m_scene, m_zoom, m_pan);
    layout.visible = rect();
    return layout;
}

bool WorldView::isComputingHeat() const {
    return m_worker->numOpenJobs() > 0 || m_arrowWorker->numOpenJobs() > 0;
}

void WorldView::refreshState() {
    if (!m_session->isOpen()) return;
    WorldScene scene = sceneOf(m_session->world(), m_session->state().words);
    scene.heat = m_scene.heat;  // until the new ones are there
    scene.arrows = m_scene.arrows;
    m_scene = std::move(scene);
    const auto& walk = m_session->walk();
    if (m_session->walkIndex() > 0)
        m_scene.changed =
            changedCells(m_session->world(), walk[m_session->walkIndex() - 1].state.words,
                         m_session->state().words);
    refreshHeat();
    refreshArrows();
    refreshVisits();
    refreshGhosts();
}

void WorldView::refreshGhosts() {
    if (!m_session->isOpen()) return;
    m_scene.ghosts.clear();
    const bool isTrial = m_session->trial().has_value();
    const auto& rows = isTrial ? m_session->trialSuccessors() : m_session->successors();
    const auto& hover = m_session->selection().hover();
    const auto* hovered = hover && !isTrial ? std::get_if<StateItem>(&*hover) : nullptr;
    std::vector<Outcome> outcomes;
    std::vector<std::size_t> shown;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (hovered ? !(rows[row].state == *hovered)
                    : !(m_showsGhosts || isTrial || m_play->isChoosing()))
            continue;
        outcomes.push_back({rows[row].probability, rows[row].state.words});
        shown.push_back(row);
    }
    m_scene.numbersGhosts = m_play->isChoosing();
    m_scene.ghosts = ghostsOf(m_session->world(), m_session->state().words, outcomes);
    for (Ghost& ghost : m_scene.ghosts)
        for (std::size_t& outcome : ghost.outcomes) outcome = shown[outcome];
    refreshMarks();
}

void WorldView::refreshMarks() {
    // What is marked is in a scene; until the first one is there, nothing is.
    if (!m_session->isOpen() || m_scene.width == 0) return;
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

void WorldView::paintEvent(QPaintEvent*) {
    const Tokens& tokens = currentTokens();
    QPainter painter(this);
    painter.fillRect(rect(), tokens.canvas);
    if (!m_session->isOpen()) {
        painter.setFont(interfaceFont(13));
        painter.setPen(tokens.text2);
        paintEmptyText(painter, rect(),
                       tr("No world is open.\nPick an example on Home (Ctrl+1), or open a file "
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
        if (m_wasDragged && m_zoom > kLeastViewZoom) {
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

bool WorldView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && takesKey(static_cast<QKeyEvent&>(*event))) {
        event->accept();
        return true;
    }
    return PaintedWidget::event(event);
}

QString WorldView::tipAt(const QPoint& point) const {
    const auto cell = m_session->isOpen() ? worldLayout().cellAt(point) : std::nullopt;
    return cell ? cellText(*cell) : QString();
}

bool WorldView::pickGhost(const QPoint& cell) {
    if (!m_play->isOn() || m_session->trial()) return false;
    // The likeliest of the outcomes in which something is here; they are by probability.
    std::optional<std::size_t> row;
    for (const Ghost& ghost : m_scene.ghosts)
        if (ghost.piece.x == cell.x() && ghost.piece.y == cell.y())
            for (const std::size_t outcome : ghost.outcomes)
                row = std::min(row.value_or(outcome), outcome);
    if (!row) return false;
    m_play->chooseOutcome(*row);
    return true;
}

void WorldView::pickCell(const QPoint& cell) {
    if (pickGhost(cell)) return;
    std::vector<SelectionItem> items{CellItem{cell.x(), cell.y()}};
    for (const Piece& piece : m_scene.pieces) {
        if (piece.kind != PieceKind::Agent || piece.x != cell.x() || piece.y != cell.y()) continue;
        items.emplace_back(AgentItem{piece.agent});
        const auto goals = m_session->world().goals();
        for (int h = 0; h < std::ssize(goals); ++h)
            if (goals[static_cast<std::size_t>(h)].agent == piece.agent &&
                !goals[static_cast<std::size_t>(h)].goals.empty()) {
                items.emplace_back(HumanItem{h});
                const auto* goal = m_session->selection().current<GoalItem>();
                if (!goal || goal->human != h) items.emplace_back(GoalItem{h, 0});
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

}  // namespace orrery
