#include "widgets/frame/frame.h"

#include <QEvent>
#include <QJsonDocument>
#include <QMenu>
#include <QScreen>
#include <QTimer>
#include <QToolBar>
#include <QUndoCommand>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/commands.h"
#include "widgets/common/parts.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/job_list.h"
#include "widgets/frame/message_log.h"
#include "widgets/frame/perspective_rail.h"
#include "widgets/frame/side_panel.h"
#include "widgets/frame/table_twin.h"
#include "widgets/frame/view_page.h"
#include "widgets/frame/view_scope.h"

namespace orrery {

namespace {

constexpr int kStateVersion = 1;
constexpr int kNarrowWidth = 1500;
constexpr int kLowHeight = 900;

Qt::DockWidgetArea areaOf(ViewPlace place) {
    switch (place) {
        case ViewPlace::Left:
            return Qt::LeftDockWidgetArea;
        case ViewPlace::Right:
            return Qt::RightDockWidgetArea;
        default:
            return Qt::BottomDockWidgetArea;
    }
}

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

Frame::Frame(QWidget* parent)
    : QMainWindow(parent),
      m_commands(new Commands(this)),
      m_rail(new PerspectiveRail(this)),
      m_jobs(new JobList(this)),
      m_messages(new MessageLog(this)),
      m_strip(new MessageStrip(this)) {
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks | GroupedDragging);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    auto* central = new QWidget(this);
    central->setObjectName(QStringLiteral("central"));
    m_middle = new QVBoxLayout(central);
    m_middle->setContentsMargins(0, 0, 0, 0);
    m_middle->setSpacing(0);
    m_centre = new CentreArea(
        {[this](const QString& id) { return page(id); },
         [this](const QString& id) {
             const QString subject = m_subjects.value(id);
             return subject.isEmpty() ? titleOf(id) : tr("%1: %2").arg(titleOf(id), subject);
         },
         [this](const QString& id) { return specOf(id)->tip; },
         [this](const QString& id) { return scope(id); }},
        central);
    m_middle->addWidget(m_centre, 1);
    m_strip->setParent(central);
    m_strip->floatOver(m_centre);
    setCentralWidget(central);
    connect(m_centre, &CentreArea::currentViewChanged, this, &Frame::currentViewChanged);
    connect(m_centre, &CentreArea::closeRequested, this, &Frame::hideView);
    connect(m_centre, &CentreArea::duplicateRequested, this, &Frame::duplicateView);
    connect(m_centre, &CentreArea::freezeRequested, this, &Frame::setFrozen);
    connect(m_centre, &CentreArea::carriedAway, this, [this] { noteArrangement(tr("Move view")); });
    connect(m_rail, &PerspectiveRail::picked, this, &Frame::showPerspective);
    connect(&m_undo, &QUndoStack::indexChanged, this, &Frame::arrangeAsWanted);
}

Frame::~Frame() {
    m_undo.clear();
}

void Frame::addOwnViews() {
    addView({.id = QStringLiteral("jobs"),
             .title = tr("Jobs"),
             .icon = QStringLiteral("system-run"),
             .tip = tr("Long work: how far it is, and a way to cancel it"),
             .place = ViewPlace::Bottom,
             .make = [this](QWidget* parent) { return new JobsPanel(m_jobs, parent); },
             .help = QStringLiteral("window#jobs")});
    addView({.id = QStringLiteral("messages"),
             .title = tr("Messages"),
             .icon = QStringLiteral("dialog-information"),
             .tip = tr("Everything that the program had to say"),
             .place = ViewPlace::Bottom,
             .make = [this](QWidget* parent) { return new MessagesPanel(m_messages, parent); },
             .help = QStringLiteral("window#messages")});
}

void Frame::addView(ViewSpec spec) {
    m_views.push_back(std::move(spec));
}

void Frame::addPerspective(PerspectiveSpec spec) {
    const auto number = m_perspectives.size() + 1;
    m_rail->add(spec, tr("%1 (Ctrl+%2)").arg(spec.tip).arg(number));
    m_perspectives.push_back(std::move(spec));
}

void Frame::setTimeline(QWidget* timeline) {
    m_timeline = timeline;
    m_middle->addWidget(makeLine(m_centre->parentWidget()));
    m_middle->addWidget(timeline);
}

void Frame::setUpFrame() {
    // The rail is a tool bar, so that it stands left of the panels.
    auto* bar = new QToolBar(tr("Perspectives"), this);
    bar->setObjectName(QStringLiteral("railBar"));
    bar->setProperty("look", QStringLiteral("rail"));
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->addWidget(m_rail);
    addToolBar(Qt::LeftToolBarArea, bar);
    for (const ViewSpec& spec : m_views) {
        if (spec.place != ViewPlace::Centre) addPanel(spec, spec.id);
    }
    showPerspective(m_perspectives.front().id);
}

SidePanel* Frame::addPanel(const ViewSpec& spec, const QString& id) {
    ViewSpec remembering = spec;
    remembering.id = id;
    remembering.title = titleOf(id);
    remembering.make = [this, spec, id](QWidget* parent) { return made(spec, id, parent); };
    auto* panel = new SidePanel(remembering, this);
    panel->setScope(scope(id));
    panel->hide();
    addDockWidget(areaOf(spec.place), panel);
    m_panels.insert(id, panel);
    watchPanel(panel, remembering.title);
    connect(panel, &SidePanel::duplicateRequested, this, [this, id] { duplicateView(id); });
    connect(panel, &SidePanel::freezeRequested, this,
            [this, id](bool isFrozen) { setFrozen(id, isFrozen); });
    return panel;
}

void Frame::watchPanel(SidePanel* panel, const QString& title) {
    connect(panel, &SidePanel::closeRequested, this,
            [this, panel] { hideView(m_panels.key(panel)); });
    const auto moved = [this, title] {
        if (m_isArranging) return;
        // Qt has not finished the move when it tells of it.
        QTimer::singleShot(0, this, [this, title] {
            if (!m_isArranging) noteArrangement(tr("Move %1").arg(title));
        });
    };
    connect(panel, &QDockWidget::topLevelChanged, this, moved);
    connect(panel, &QDockWidget::dockLocationChanged, this, moved);
}

const PerspectiveSpec& Frame::perspectiveSpec(const QString& id) const {
    const auto found = std::ranges::find(m_perspectives, id, &PerspectiveSpec::id);
    return found == m_perspectives.end() ? m_perspectives.front() : *found;
}

QWidget* Frame::view(const QString& id) {
    const ViewSpec* spec = specOf(id);
    if (!spec) return nullptr;
    if (spec->place != ViewPlace::Centre) {
        SidePanel* panel = this->panel(id);
        return panel ? panel->content() : nullptr;
    }
    if (QWidget* known = m_centreWidgets.value(id)) return known;
    return page(id)->content();
}

/// What stands in a tab of the centre for a view; late ones are made when it is shown.
ViewPage* Frame::page(const QString& id) {
    const ViewSpec* spec = specOf(id);
    if (!spec || spec->place != ViewPlace::Centre) return nullptr;
    if (ViewPage* known = m_pages.value(id)) return known;
    auto* page = new ViewPage(
        [this, id](QWidget* parent) {
            QWidget* widget = made(*specOf(id), id, parent);
            m_centreWidgets.insert(id, widget);
            return widget;
        },
        m_centre);
    page->hide();  // until it is opened
    m_pages.insert(id, page);
    if (!spec->isLate) page->content();
    return page;
}

bool Frame::isViewShown(const QString& id) const {
    if (const SidePanel* panel = m_panels.value(id)) return !panel->isHidden();
    return m_centre->isOpen(id);
}

void Frame::addToggle(QMenu* menu, const ViewSpec& spec) {
    QAction* action = menu->addAction(spec.title);
    action->setObjectName(QStringLiteral("show_") + spec.id);
    action->setCheckable(true);
    action->setChecked(isViewShown(spec.id));
    action->setToolTip(spec.tip);
    connect(action, &QAction::triggered, this,
            [this, id = spec.id](bool shows) { shows ? showView(id) : hideView(id); });
}

QMenu* Frame::createPopupMenu() {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("panelsMenu"));
    for (const ViewSpec& spec : m_views)
        if (spec.place != ViewPlace::Centre) addToggle(menu, spec);
    return menu;
}

void Frame::showPerspective(const QString& id) {
    const PerspectiveSpec& spec = perspectiveSpec(id);
    m_rail->setCurrent(spec.id);
    if (spec.id != m_perspective) {
        // Before the window is shown nothing has its size yet, and nobody has moved anything.
        if (!m_perspective.isEmpty() && isVisible())
            m_arrangements.insert(keyOf(m_perspective, m_isSmall), arrangement());
        m_isSmall = wantsSmall(spec);
        arrange(wantedArrangement(spec));
    }
    focusMainView();
}

void Frame::showView(const QString& id) {
    const ViewSpec* spec = specOf(id);
    if (!spec) return;
    noteSizes();
    if (SidePanel* panel = this->panel(id)) {
        const bool wasHidden = panel->isHidden();
        panel->show();
        giveRoom(panel);
        panel->raise();
        if (wasHidden) noteArrangement(tr("Open %1").arg(titleOf(id)));
        return;
    }
    const bool wasOpen = m_centre->isOpen(id);
    m_centre->show(id);
    if (!wasOpen) noteArrangement(tr("Open %1").arg(titleOf(id)));
}

void Frame::hideView(const QString& id) {
    const ViewSpec* spec = specOf(id);
    if (!spec || !isViewShown(id)) return;
    noteSizes();
    const QString text = tr("Close %1").arg(titleOf(id));
    m_undo.beginMacro(text);
    if (m_scopes.contains(id)) setFrozen(id, false);  // opened again, it follows
    if (SidePanel* panel = m_panels.value(id))
        panel->hide();
    else
        m_centre->close(id);
    noteArrangement(text);
    m_undo.endMacro();
}

void Frame::splitView(Qt::Orientation orientation) {
    noteSizes();
    if (m_centre->split(orientation)) noteArrangement(tr("Split view"));
}

void Frame::moveViewToNextGroup() {
    noteSizes();
    if (m_centre->moveToNextGroup()) noteArrangement(tr("Move view"));
}

void Frame::resetLayout() {
    m_undo.beginMacro(tr("Reset layout"));
    thawAll();
    Arrangement before = arrangement();
    arrange(factoryArrangement(perspectiveSpec(m_perspective)));
    m_noted = std::move(before);
    noteArrangement(tr("Reset layout"));
    m_undo.endMacro();
}

void Frame::showTable() {
    const ViewSpec* spec = specOf(m_centre->currentView());
    QAbstractItemModel* table =
        spec && spec->table ? spec->table(view(m_centre->currentView())) : nullptr;
    if (!table)
        return say(
            MessageKind::Info,
            spec ? tr("%1 has no table: it shows text and numbers as they are.").arg(spec->title)
                 : tr("No view is open."));
    (new TableTwin(titleOf(m_centre->currentView()), table, this))->show();
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
