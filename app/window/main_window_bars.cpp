// Menus, toolbar, search field and the commands of the window itself.
#include <QAction>
#include <QLayout>
#include <QMenu>
#include <QMenuBar>
#include <QResizeEvent>
#include <algorithm>

#include "app/window/crumb_label.h"
#include "app/window/files_part.h"
#include "app/window/frame_commands.h"
#include "app/window/main_window.h"
#include "widgets/common/commands.h"
#include "widgets/common/icons.h"
#include "widgets/common/tokens.h"
#include "widgets/frame/command_bar.h"
#include "widgets/frame/locator.h"
#include "widgets/part/perspective_ids.h"

namespace orrery {

namespace {

constexpr int kNarrowWindow = 1150;  ///< below it the toolbar shows no words but Solve
constexpr int kSmallWindow = 900;    ///< below it crumbs and locator are short, too
constexpr int kTinyWindow = 720;     ///< below it the crumbs need the room of Back and Forward
constexpr int kLocatorWidth = 260, kNarrowLocatorWidth = 170, kSmallLocatorWidth = 120;

CommandBar::Room roomIn(int width) {
    if (width < kTinyWindow) return CommandBar::Room::NoSpare;
    return width < kNarrowWindow ? CommandBar::Room::NoWords : CommandBar::Room::All;
}

int locatorWidthIn(int width) {
    if (width < kSmallWindow) return kSmallLocatorWidth;
    return width < kNarrowWindow ? kNarrowLocatorWidth : kLocatorWidth;
}

/// The icon of "Pause" is that of starting while the text is "Resume", in any theme.
void giveResumeItsIcon(QAction* action) {
    QObject::connect(action, &QAction::changed, action, [action, ours = qint64{0}]() mutable {
        const bool isResume = action->text() == MainWindow::tr("&Resume");
        if (isResume == (action->icon().cacheKey() == ours)) return;
        const QIcon icon = themedIcon(isResume ? QStringLiteral("media-playback-start")
                                               : QStringLiteral("media-playback-pause"),
                                      currentTokens());
        ours = isResume ? icon.cacheKey() : 0;
        action->setIcon(icon);
    });
}

}  // namespace

void MainWindow::bindCommands() {
    bindFrameCommands(*this);
    Commands& c = commands();
    c.bind("edit.locate", [this] { m_locator->open(); });
    c.bind("go.back", [this] { selection().goBack(); });
    c.bind("go.forward", [this] { selection().goForward(); });
    c.bind("world.step", [this] { stepKeys().forward(); });
    c.bind("world.back", [this] { stepKeys().back(); });
    giveResumeItsIcon(c.action(QStringLiteral("run.pause")));
    c.bind("run.pause", [this] { runKeys().pause(); });
    c.bind("run.cancel", [this] { runKeys().end(); });
    for (const auto& part : m_parts) part->bindCommands();
}

void MainWindow::makeMenus() {
    for (const QString& name : Commands::menuNames()) {
        QMenu* menu = menuBar()->addMenu(QLatin1Char('&') + tr(name.toLatin1().constData()));
        menu->setObjectName(QStringLiteral("menu_") + name);
        menu->setToolTipsVisible(true);
        commands().fill(menu, name);
        if (name == QLatin1String("File")) m_files->addRecentMenu(menu);
        if (name != QLatin1String("Window")) continue;
        QMenu* panels = menu->addMenu(tr("&Views and panels"));
        panels->setObjectName(QStringLiteral("menu_views"));
        connect(panels, &QMenu::aboutToShow, this, [this, panels] {
            panels->clear();
            for (const ViewSpec& spec : views()) addToggle(panels, spec);
        });
    }
}

void MainWindow::makeToolBar() {
    auto* bar = new CommandBar(tr("Main"), this);
    bar->setObjectName(QStringLiteral("mainToolBar"));
    const auto add = [&](const char* id, const CommandBar::Placing& placing) {
        return bar->addCommand(commands().action(QLatin1String(id)), placing);
    };
    // In Train the bar steps, pauses and stops the training; the open world stands aside.
    const QString train = kTrainPerspective;
    const CommandBar::Placing plain{.isPlain = true};
    const CommandBar::Placing ofRun{.words = train, .isPlain = true};
    add("run.solve", {.isAlways = true});
    add("run.train", {});
    add("run.pause", ofRun);
    add("run.trainStep", {.only = train});
    add("run.cancel", ofRun);
    bar->addGap({.except = train});
    add("world.back", {.except = train, .isPlain = true});
    add("world.step", {.except = train});
    add("world.follow", {.except = train});
    add("world.restart", {.except = train, .isPlain = true});
    bar->addGap({});
    add("edit.undo", plain);
    add("edit.redo", plain);
    const CommandBar::Placing spare{.isPlain = true, .isSpare = true};
    bar->addGap({.isSpare = true});
    add("go.back", spare);
    add("go.forward", spare);
    m_crumbs = new CrumbLabel(bar);
    bar->addWidget(m_crumbs);
    m_locator = new Locator(bar);
    m_locator->setFixedWidth(kLocatorWidth);
    bar->addWidget(m_locator);
    addToolBar(bar);
    const auto arrange = [this, bar] { bar->arrange(perspective(), roomIn(width())); };
    connect(this, &Frame::perspectiveChanged, bar, arrange);
    arrange();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    Frame::resizeEvent(event);
    const int locatorWidth = locatorWidthIn(width());
    const bool isOther = roomIn(width()) != roomIn(event->oldSize().width());
    if (m_locator->maximumWidth() == locatorWidth && !isOther) return;
    m_locator->setFixedWidth(locatorWidth);
    auto* bar = findChild<CommandBar*>();
    bar->arrange(perspective(), roomIn(width()));
    // A locator that had no room was put away, and tells nobody that it is narrower now.
    bar->layout()->update();
}

void MainWindow::fillLocator() {
    m_locator->addSource({QStringLiteral(">"), tr("commands"),
                          [this](const QString&) { return commandItems(*this); }, true, true});
    for (const auto& part : m_parts)
        for (LocatorSource& source : part->locatorSources())
            m_locator->addSource(std::move(source));
}

void MainWindow::refreshCommands() {
    refreshFrameCommands(*this);
    Commands& c = commands();
    c.setEnabled("go.back", selection().canGoBack(), tr("This is the first thing selected"));
    c.setEnabled("go.forward", selection().canGoForward(), tr("This is the last thing selected"));
    const StepKeys keys = stepKeys();
    c.action(QStringLiteral("world.step"))->setText(keys.forwardText);
    c.action(QStringLiteral("world.back"))->setText(keys.backText);
    c.setEnabled("world.step", keys.canForward, keys.whyNotForward);
    c.setEnabled("world.back", keys.canBack, keys.whyNotBack);
    const RunKeys run = runKeys();
    const QString noRun = tr("Nothing runs");
    c.action(QStringLiteral("run.pause"))->setText(run.pauseText);
    c.action(QStringLiteral("run.cancel"))->setText(run.endText);
    c.setEnabled("run.pause", run.canPause, noRun);
    c.setEnabled("run.cancel", run.canEnd, noRun);
    for (const auto& part : m_parts) part->refreshCommands();
}

}  // namespace orrery
