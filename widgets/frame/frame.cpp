#include "widgets/frame/frame.h"

#include <QMenu>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "widgets/common/commands.h"
#include "widgets/common/painted_view.h"
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

Frame::Frame(QWidget* parent)
    : QMainWindow(parent),
      m_commands(new Commands(this)),
      m_rail(new PerspectiveRail(this)),
      m_jobs(new JobList(this)),
      m_messages(new MessageLog(this)),
      m_strip(new MessageStrip(this)) {
    describePaintedViews();
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
    connect(m_centre, &CentreArea::duplicateRequested, this, &Frame::duplicateInTurns);
    connect(m_centre, &CentreArea::freezeRequested, this, &Frame::setFrozen);
    connect(m_centre, &CentreArea::carriedAway, this, [this] { noteArrangement(tr("Move view")); });
    connect(m_rail, &PerspectiveRail::picked, this, &Frame::showPerspective);
    connect(m_commands, &Commands::keysChanged, this, &Frame::refreshRailTips);
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
    m_rail->add(spec);
    m_perspectives.push_back(std::move(spec));
    refreshRailTips();
}

/// The keys are those of the command that shows a perspective.
void Frame::refreshRailTips() {
    for (const PerspectiveSpec& spec : m_perspectives) {
        const std::string id = "view." + spec.id.toStdString();
        const auto known = [&](const CommandSpec& command) { return id == command.id; };
        const auto command = std::ranges::find_if(commandTable(), known);
        const QString keys =
            command == commandTable().end() ? QString() : m_commands->keysText(*command);
        m_rail->setTip(spec.id, keys.isEmpty() ? spec.tip : tr("%1 (%2)").arg(spec.tip, keys));
    }
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
    connect(panel, &SidePanel::duplicateRequested, this, [this, id] { duplicateInTurns(id); });
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

}  // namespace orrery
