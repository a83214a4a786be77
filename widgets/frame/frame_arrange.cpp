#include <QDockWidget>
#include <QEvent>
#include <QJsonDocument>
#include <QLayout>
#include <QScreen>
#include <QTimer>
#include <QToolBar>
#include <QUndoCommand>
#include <algorithm>
#include <utility>
#include <vector>

#include "widgets/frame/centre_area.h"
#include "widgets/frame/frame.h"
#include "widgets/frame/perspective_rail.h"
#include "widgets/frame/side_panel.h"

// How the frame is arranged: as it was made, as it was left, as its size allows, and the steps of
// that on the undo stack.

namespace orrery {

namespace {

constexpr int kStateVersion = 1;
constexpr int kNarrowWidth = 1500;
constexpr int kLowHeight = 900;

}  // namespace

/// One change of the arrangement. It only says what is wanted: of several steps at once the window
/// is arranged as after the last.
class ArrangeCommand : public QUndoCommand {
public:
    ArrangeCommand(Frame* frame, Arrangement before, Arrangement after, const QString& text)
        : QUndoCommand(text),
          m_frame(frame),
          m_before(std::move(before)),
          m_after(std::move(after)) {}

    void undo() override { m_frame->m_wanted.push_back(m_before); }
    void redo() override {
        if (m_isDone) m_frame->m_wanted.push_back(m_after);
        m_isDone = true;  // it was carried out before it came on the stack
    }

private:
    Frame* m_frame;
    Arrangement m_before, m_after;
    bool m_isDone = false;
};

Qt::DockWidgetArea Frame::areaOf(ViewPlace place) {
    switch (place) {
        case ViewPlace::Left:
            return Qt::LeftDockWidgetArea;
        case ViewPlace::Right:
            return Qt::RightDockWidgetArea;
        default:
            return Qt::BottomDockWidgetArea;
    }
}

Arrangement Frame::factoryArrangement(const PerspectiveSpec& spec) const {
    const bool isNarrow = width() < kNarrowWidth && !spec.narrowCentre.isEmpty();
    const QByteArray& centre = m_isSmall && !spec.smallCentre.isEmpty() ? spec.smallCentre
                               : isNarrow                               ? spec.narrowCentre
                                                                        : spec.centre;
    return {spec.id, {}, QJsonDocument::fromJson(centre).object(), {}, m_isSmall};
}

QString Frame::keyOf(const QString& perspective, bool isSmall) {
    return isSmall ? perspective + QStringLiteral("@small") : perspective;
}

Arrangement Frame::wantedArrangement(const PerspectiveSpec& spec) const {
    const auto known = m_arrangements.constFind(keyOf(spec.id, m_isSmall));
    return known == m_arrangements.constEnd() ? factoryArrangement(spec) : *known;
}

bool Frame::wantsSmall(const PerspectiveSpec& spec) const {
    if (spec.smallCentre.isEmpty() && spec.smallPanels.isEmpty()) return false;
    const bool fills =
        !isVisible() && (windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen));
    const QSize size = fills ? screen()->availableGeometry().size() : this->size();
    return size.width() < kSmallWidth || size.height() < kSmallHeight;
}

/// What a view shows now may be wider than what it showed when room was made for it.
bool Frame::event(QEvent* event) {
    const bool isDone = QMainWindow::event(event);
    if (event->type() == QEvent::LayoutRequest && !m_isArranging && !m_perspective.isEmpty() &&
        isVisible() && !isWideEnough())
        QTimer::singleShot(0, this, &Frame::followSize);
    return isDone;
}

void Frame::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (m_perspective.isEmpty() ||
        (wantsSmall(perspectiveSpec(m_perspective)) == m_isSmall && isWideEnough()))
        return;
    QTimer::singleShot(0, this, &Frame::followSize);  // not while the layout is at work
}

void Frame::followSize() {
    const PerspectiveSpec& spec = perspectiveSpec(m_perspective);
    if (wantsSmall(spec) == m_isSmall) {
        giveRoom();
        m_noted = arrangement();
        return;
    }
    m_arrangements.insert(keyOf(spec.id, m_isSmall), arrangement());
    m_isSmall = !m_isSmall;
    arrange(wantedArrangement(spec));
}

bool Frame::isWideEnough() const {
    return layout()->totalMinimumSize().width() <= width();
}

void Frame::giveRoom(SidePanel* wanted) {
    if (!isVisible()) return;  // it has not its size yet
    const auto isAt = [this](SidePanel* panel, Qt::DockWidgetArea side) {
        return dockWidgetArea(panel) == side && !panel->isHidden() && !panel->isFloating();
    };
    SidePanel* first = nullptr;
    for (SidePanel* panel : std::as_const(m_panels)) {
        if (!isAt(panel, Qt::BottomDockWidgetArea)) continue;
        if (first == nullptr)
            first = panel;
        else if (!isWideEnough() && !tabifiedDockWidgets(first).contains(panel))
            tabifyDockWidget(first, panel);
    }
    const Qt::DockWidgetArea kept = wanted ? dockWidgetArea(wanted) : Qt::LeftDockWidgetArea;
    for (const Qt::DockWidgetArea side : {Qt::RightDockWidgetArea, Qt::LeftDockWidgetArea})
        for (SidePanel* panel : std::as_const(m_panels))
            if (side != kept && isAt(panel, side) && !isWideEnough()) panel->hide();
}

Arrangement Frame::arrangement() const {
    QStringList extra;
    for (auto panel = m_panels.begin(); panel != m_panels.end(); ++panel)
        if (!panel.value()->isHidden() && !std::ranges::count(m_views, panel.key(), &ViewSpec::id))
            extra << panel.key();
    extra.sort();
    return {m_perspective, saveState(kStateVersion), m_centre->saveState(), extra, m_isSmall};
}

void Frame::arrange(const Arrangement& arrangement) {
    const PerspectiveSpec& spec = perspectiveSpec(arrangement.perspective);
    if (arrangement.isSmall != wantsSmall(spec)) {
        // What is undone was done in a window of another size, and is seen there again.
        m_arrangements.insert(keyOf(spec.id, arrangement.isSmall), arrangement);
        return showPerspective(spec.id);
    }
    m_isArranging = true;
    m_isSmall = arrangement.isSmall;
    const bool isOther = spec.id != m_perspective;
    m_perspective = spec.id;
    m_centre->restoreState(arrangement.centre);
    for (const QString& id : arrangement.extraPanels) panel(id);
    for (auto panel = m_panels.begin(); panel != m_panels.end(); ++panel)
        if (!std::ranges::count(m_views, panel.key(), &ViewSpec::id) &&
            !arrangement.extraPanels.contains(panel.key()))
            panel.value()->hide();
    if (arrangement.panels.isEmpty() || !restorePanels(arrangement.panels))
        arrangePanelsAsMade(spec);
    for (const QString& id : m_newPanels.take(spec.id)) {
        SidePanel* panel = m_panels.value(id);
        removeDockWidget(panel);
        addDockWidget(areaOf(specOf(id)->place), panel);
        panel->show();
    }
    if (m_timeline)
        m_timeline->setVisible(spec.hasTimeline && (spec.smallHasTimeline || !m_isSmall));
    giveRoom();
    m_isArranging = false;
    m_rail->setCurrent(spec.id);
    m_noted = this->arrangement();
    const QWidget* now = focusWidget();
    if (!now || !now->isVisibleTo(this)) focusMainView();
    if (isOther) Q_EMIT perspectiveChanged(spec.id);
}

void Frame::arrangeAsWanted() {
    if (m_wanted.empty()) return;
    const std::vector<Arrangement> wanted = std::exchange(m_wanted, {});
    if (wanted.back().perspective != m_perspective)
        m_arrangements.insert(keyOf(m_perspective, m_isSmall), arrangement());
    for (const Arrangement& passed : wanted)
        m_arrangements.insert(keyOf(passed.perspective, passed.isSmall), passed);
    arrange(wanted.back());
}

/// Of a hidden window that is going to fill the screen, Qt would keep a copy of a state that does
/// not fit yet, and use it when the panels that it points to are long arranged anew.
bool Frame::restorePanels(const QByteArray& panels) {
    const Qt::WindowStates state = windowState();
    if (!isVisible()) setWindowState(state & ~(Qt::WindowMaximized | Qt::WindowFullScreen));
    const bool isRestored = restoreState(panels, kStateVersion);
    // A state of an older version may have them closed.
    for (QToolBar* bar : findChildren<QToolBar*>(Qt::FindDirectChildrenOnly)) bar->show();
    if (!isVisible()) setWindowState(state);
    return isRestored;
}

void Frame::arrangePanelsAsMade(const PerspectiveSpec& spec) {
    for (SidePanel* panel : std::as_const(m_panels)) {
        panel->setFloating(false);
        removeDockWidget(panel);
    }
    QList<QDockWidget*> left, right, bottom;
    const bool isLow = height() < kLowHeight && !spec.lowPanels.isEmpty();
    const QStringList& shown = m_isSmall && !spec.smallPanels.isEmpty() ? spec.smallPanels
                               : isLow                                  ? spec.lowPanels
                                                                        : spec.panels;
    const QList<int>& widths =
        m_isSmall && !spec.smallWidths.isEmpty() ? spec.smallWidths : spec.widths;
    for (const QString& id : shown) {
        SidePanel* panel = m_panels.value(id);
        if (!panel) continue;
        const ViewPlace place = specOf(id)->place;
        addDockWidget(areaOf(place), panel);
        panel->show();
        if (place == ViewPlace::Bottom) {
            if (!bottom.isEmpty()) tabifyDockWidget(bottom.last(), panel);
            bottom << panel;
        } else {
            (place == ViewPlace::Left ? left : right) << panel;
        }
    }
    if (!bottom.isEmpty()) bottom.first()->raise();
    if (!left.isEmpty()) resizeDocks({left.first()}, {widths.value(0, 224)}, Qt::Horizontal);
    if (!right.isEmpty()) resizeDocks({right.first()}, {widths.value(1, 332)}, Qt::Horizontal);
    if (left.size() > 1 && left.size() <= spec.heights.size())
        resizeDocks(left, spec.heights.mid(0, left.size()), Qt::Vertical);
    // Panels that this perspective leaves out keep a place for the day they are opened.
    for (const ViewSpec& view : m_views) {
        SidePanel* panel = m_panels.value(view.id);
        if (!panel || shown.contains(view.id)) continue;
        addDockWidget(areaOf(view.place), panel);
        panel->hide();
    }
}

void Frame::noteSizes() {
    m_noted = arrangement();
}

void Frame::noteArrangement(const QString& text) {
    Arrangement now = arrangement();
    if (now == m_noted) return;
    const Arrangement before = std::exchange(m_noted, now);
    m_undo.push(new ArrangeCommand(this, before, std::move(now), text));
}

}  // namespace orrery
