#include "widgets/world/edit_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/grid_keys.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/world/spec_edit.h"
#include "widgets/world/spec_scene.h"

namespace orrery {

namespace {

constexpr double kMostEditZoom = 12;

QString cellText(const QPoint& cell) {
    return QStringLiteral("%1,%2").arg(cell.x()).arg(cell.y());
}

QRect spanned(const QPoint& a, const QPoint& b) {
    return QRect(QPoint(std::min(a.x(), b.x()), std::min(a.y(), b.y())),
                 QPoint(std::max(a.x(), b.x()), std::max(a.y(), b.y())));
}

}  // namespace

EditView::EditView(PlanSession* session, WorldEditor* editor, QWidget* parent)
    : PaintedWidget(parent), m_session(session), m_editor(editor) {
    setObjectName(QStringLiteral("editView"));
    setAccessibleName(tr("Map of the world, for editing"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(editor, &WorldEditor::specChanged, this, &EditView::refreshMap);
    connect(editor, &WorldEditor::modeChanged, this, [this] {
        if (m_isStale) refreshMap();
    });
    connect(editor, &WorldEditor::toolChanged, this, qOverload<>(&QWidget::update));
    connect(editor, &WorldEditor::findingsChanged, this, qOverload<>(&QWidget::update));
    connect(&session->selection(), &Selection::hoverChanged, this, &EditView::refreshMarks);
    connect(&session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Goal || kind == SelectionKind::Cell) refreshMarks();
    });
    refreshMap();
}

WorldLayout EditView::worldLayout() const {
    WorldLayout layout = layoutWorld(rect(), m_scene, m_zoom);
    layout.visible = rect();
    return layout;
}

void EditView::zoomBy(double factor) {
    m_zoom = std::clamp(m_zoom * factor, 1.0, kMostEditZoom);
    update();
}

void EditView::zoomToFit() {
    m_zoom = 1;
    update();
}

void EditView::refreshMap() {
    m_isStale = !isVisible() && !m_editor->isOn();
    if (!m_editor->isOpen() || m_isStale) return;
    if (m_stroke.empty()) {
        m_scene = sceneOfSpec(m_editor->spec());
    } else {
        WorldSpec spec = m_editor->spec();
        paintCells(spec, m_stroke,
                   m_editor->tool() == EditTool::Erase ? emptyCode(spec) : m_editor->brush(),
                   m_editor->symmetry());
        m_scene = sceneOfSpec(spec);
    }
    refreshMarks();
}

/// What lies over the map; the map itself may have many cells.
void EditView::refreshMarks() {
    if (!m_editor->isOpen() || m_isStale) return;
    const QRect all(0, 0, m_scene.width, m_scene.height);
    if (m_cursor && !all.contains(*m_cursor)) m_cursor.reset();
    if (m_marked) m_marked = m_marked->intersected(all);
    if (m_marked && m_marked->isEmpty()) m_marked.reset();
    m_scene.current = m_cursor;
    m_scene.hover.reset();
    m_scene.dragged = {};
    const Selection& selection = m_session->selection();
    const auto* goal = selection.current<GoalItem>();
    for (GoalMark& mark : m_scene.goals)
        mark.isCurrent = goal && mark.human == goal->human && mark.goal == goal->goal;
    if (selection.hover())
        if (const auto* cell = std::get_if<CellItem>(&*selection.hover()))
            m_scene.hover = QPoint(cell->x, cell->y);
    if (m_scene.hover && !all.contains(*m_scene.hover)) m_scene.hover.reset();
    const EditTool tool = m_editor->tool();
    if (m_from && (tool == EditTool::Rectangle || tool == EditTool::Goal || tool == EditTool::Mark))
        m_scene.dragged = spanned(*m_from, m_to);
    if (m_from && tool == EditTool::Select && *m_from != m_to)
        m_scene.dragged = QRect(m_to, QSize(1, 1));
    update();
}

void EditView::paintEvent(QPaintEvent*) {
    const Tokens& tokens = currentTokens();
    QPainter painter(this);
    painter.fillRect(rect(), tokens.canvas);
    if (!m_editor->isOpen()) return;
    const WorldLayout layout = worldLayout();
    paintWorld(painter, m_scene, layout, tokens);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const WorldFinding& finding : m_editor->findings()) {
        if (!finding.cell || finding.kind < WorldFinding::Kind::Warning) continue;
        const QColor color =
            finding.kind == WorldFinding::Kind::Error ? tokens.error : tokens.warning;
        painter.setPen(QPen(color, 2, Qt::DotLine));
        painter.drawRect(
            layout.cellRect(finding.cell->x(), finding.cell->y()).adjusted(-1, -1, 1, 1));
    }
    paintAids(painter, layout);
    if (!hasFocus()) return;
    painter.setPen(QPen(tokens.accent, 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void EditView::begin(const QPoint& cell) {
    m_from = m_to = cell;
    WorldSpec spec = m_editor->spec();
    switch (m_editor->tool()) {
        case EditTool::Paint:
        case EditTool::Erase:
            m_stroke = {cell};
            break;
        case EditTool::Fill: {
            const std::vector<QPoint> cells = filledFrom(spec, cell);
            paintCells(spec, cells, m_editor->brush(), m_editor->symmetry());
            m_from.reset();
            return m_editor->change(tr("Fill %1 cells with %2")
                                        .arg(cells.size())
                                        .arg(m_editor->nameOf(m_editor->brush())),
                                    std::move(spec));
        }
        case EditTool::Turn:
            m_from.reset();
            return turn(cell);
        default:
            break;
    }
    refreshMap();
}

void EditView::dragTo(const QPoint& cell) {
    if (!m_from || cell == m_to) return;
    // A fast mouse leaves cells out: the line between is painted too.
    const QPoint way = cell - m_to;
    const int steps = std::max(std::abs(way.x()), std::abs(way.y()));
    for (int i = 1; i <= steps && !m_stroke.empty(); ++i) {
        const QPoint at(m_to.x() + qRound(double(way.x()) * i / steps),
                        m_to.y() + qRound(double(way.y()) * i / steps));
        if (std::ranges::find(m_stroke, at) == m_stroke.end()) m_stroke.push_back(at);
    }
    m_to = cell;
    m_stroke.empty() ? refreshMarks() : refreshMap();
}

void EditView::finish() {
    if (!m_from) return;
    const QPoint from = *m_from;
    const std::vector<QPoint> stroke = std::exchange(m_stroke, {});
    m_from.reset();
    WorldSpec spec = m_editor->spec();
    const EditTool tool = m_editor->tool();
    if (tool == EditTool::Paint || tool == EditTool::Erase) {
        const bool erases = tool == EditTool::Erase;
        paintCells(spec, stroke, erases ? emptyCode(spec) : m_editor->brush(),
                   m_editor->symmetry());
        const QString where =
            stroke.size() == 1 ? cellText(stroke.front()) : tr("%1 cells").arg(stroke.size());
        m_editor->change(erases
                             ? tr("Erase %1").arg(where)
                             : tr("Paint %1 at %2").arg(m_editor->nameOf(m_editor->brush()), where),
                         std::move(spec));
    } else if (tool == EditTool::Select && from != m_to) {
        const QString name = m_editor->nameOf(codeAt(spec, from));
        moveThing(spec, from, m_to);
        m_editor->change(tr("Move %1 to %2").arg(name, cellText(m_to)), std::move(spec));
    } else if (tool == EditTool::Mark) {
        mark(spanned(from, m_to));
    } else if (tool == EditTool::Rectangle || tool == EditTool::Goal) {
        finishRectangle(spanned(from, m_to));
    }
    refreshMap();
}

void EditView::finishRectangle(const QRect& cells) {
    WorldSpec spec = m_editor->spec();
    if (m_editor->tool() == EditTool::Rectangle) {
        paintCells(spec, cellsOf(cells), m_editor->brush(), m_editor->symmetry());
        return m_editor->change(tr("Rectangle of %1, %2 x %3")
                                    .arg(m_editor->nameOf(m_editor->brush()))
                                    .arg(cells.width())
                                    .arg(cells.height()),
                                std::move(spec));
    }
    const Goal goal{cells.left(), cells.top(), cells.right(), cells.bottom(),
                    cells.width() > 1 || cells.height() > 1};
    addGoal(spec, m_editor->goalOwner(), goal);
    m_editor->change(tr("Add goal %1").arg(QString::fromStdString(goalText(goal))),
                     std::move(spec));
}

void EditView::turn(const QPoint& cell) {
    WorldSpec spec = m_editor->spec();
    const QString name = m_editor->nameOf(codeAt(spec, cell));
    if (turnThing(spec, cell))
        m_editor->change(tr("Turn %1 at %2").arg(name, cellText(cell)), std::move(spec));
}

void EditView::giveUp() {
    m_from.reset();
    m_stroke.clear();
    refreshMap();
}

void EditView::setCursorCell(const QPoint& cell) {
    m_cursor = QPoint(std::clamp(cell.x(), 0, m_scene.width - 1),
                      std::clamp(cell.y(), 0, m_scene.height - 1));
    m_session->selection().setCurrent(CellItem{m_cursor->x(), m_cursor->y()});
    refreshMarks();
}

void EditView::mousePressEvent(QMouseEvent* event) {
    if (!m_editor->isOpen() || event->button() != Qt::LeftButton) return;
    const auto cell = worldLayout().cellAt(event->position());
    if (!cell) return;
    setCursorCell(*cell);
    begin(*cell);
}

void EditView::mouseMoveEvent(QMouseEvent* event) {
    if (!m_editor->isOpen()) return;
    const auto cell = worldLayout().cellAt(event->position());
    m_session->selection().setHover(
        cell ? std::optional<SelectionItem>(CellItem{cell->x(), cell->y()}) : std::nullopt);
    if (cell) dragTo(*cell);
}

void EditView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) finish();
}

void EditView::leaveEvent(QEvent* event) {
    m_session->selection().setHover(std::nullopt);
    QWidget::leaveEvent(event);
}

void EditView::wheelEvent(QWheelEvent* event) {
    zoomBy(std::pow(1.0015, event->angleDelta().y()));
    event->accept();
}

bool EditView::chooseTool(int key) {
    static constexpr std::pair<int, EditTool> kTools[] = {
        {Qt::Key_S, EditTool::Select},    {Qt::Key_P, EditTool::Paint},
        {Qt::Key_D, EditTool::Rectangle}, {Qt::Key_F, EditTool::Fill},
        {Qt::Key_E, EditTool::Erase},     {Qt::Key_G, EditTool::Goal},
        {Qt::Key_M, EditTool::Mark}};
    for (const auto& [letter, tool] : kTools) {
        if (key != letter) continue;
        m_editor->setTool(tool);
        return true;
    }
    MapSymmetry symmetry = m_editor->symmetry();
    if (key == Qt::Key_X) symmetry.leftRight = !symmetry.leftRight;
    if (key == Qt::Key_Y) symmetry.upDown = !symmetry.upDown;
    if (symmetry == m_editor->symmetry()) return false;
    m_editor->setSymmetry(symmetry);
    return true;
}

void EditView::keyPressEvent(QKeyEvent* event) {
    if (m_editor->isOpen() && useClipboard(*event)) return;
    if (!m_editor->isOpen() || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)))
        return QWidget::keyPressEvent(event);
    const QPoint at = m_cursor.value_or(QPoint(0, 0));
    // With Shift an arrow spans a drag from the cursor; Space ends it.
    const auto move = [&](const QPoint& way) {
        if ((event->modifiers() & Qt::ShiftModifier) && !m_from) begin(at);
        setCursorCell(m_cursor ? at + way : at);
        if (m_from) dragTo(*m_cursor);
    };
    if (const auto way = arrowStep(event->key())) return move(*way);
    switch (event->key()) {
        case Qt::Key_Space:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (!m_from) begin(at);
            return finish();
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            return erase(markedCells());
        case Qt::Key_T:
            return turn(at);
        case Qt::Key_Escape:
            if (m_from) return giveUp();
            if (m_marked) return mark(std::nullopt);
            return Q_EMIT left();
        default:
            if (!chooseTool(event->key())) QWidget::keyPressEvent(event);
    }
}

/// The tools' letters and the cursor's keys win over shortcuts of the window.
bool EditView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isPlain = !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
        const bool isFunctionKey = key->key() >= Qt::Key_F1 && key->key() <= Qt::Key_F35;
        const bool isClipboard = key->matches(QKeySequence::Copy) ||
                                 key->matches(QKeySequence::Cut) ||
                                 key->matches(QKeySequence::Paste);
        if ((isPlain && !isFunctionKey) || isClipboard) {
            event->accept();
            return true;
        }
    }
    return PaintedWidget::event(event);
}

}  // namespace orrery
