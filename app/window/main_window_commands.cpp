#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenuBar>
#include <QResizeEvent>
#include <QStatusBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/window/crumb_label.h"
#include "app/window/main_window.h"
#include "app/window/plan_scope.h"
#include "core/base/error.h"
#include "widgets/bridge/queue_bridge.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/common/icons.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/predicate_bar.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/command_bar.h"
#include "widgets/frame/job_list.h"
#include "widgets/home/home_view.h"
#include "widgets/part/window_part.h"
#include "widgets/train/train_session.h"
#include "widgets/world/world_commands.h"
#include "widgets/world/world_panel.h"

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
    bindFileCommands();
    bindViewCommands();
    bindScopes();
    bindRunCommands();
    bindTraining();
    bindExports();
    bindExploration();
    bindStudy();
    for (const auto& part : m_parts) part->bindCommands();
    bindSettings();
    bindActions();
    bindWorldCommands(commands(), {.session = &session(),
                                   .editor = m_editor,
                                   .timeline = m_timeline,
                                   .panel =
                                       [this] {
                                           if (perspective() == QLatin1String("home"))
                                               showPerspective(QStringLiteral("world"));
                                           showView(QStringLiteral("world"));
                                           return view<WorldPanel>(QStringLiteral("world"));
                                       },
                                   .showEditing =
                                       [this] {
                                           if (!isViewShown(QStringLiteral("agents")))
                                               showPerspective(QStringLiteral("world"));
                                           showView(QStringLiteral("world"));
                                       },
                                   .window = this});
}

void MainWindow::bindFileCommands() {
    Commands& c = commands();
    c.bind("file.open", [this] { chooseWorldFile(); });
    c.bind("file.openWorkspace", [this] { chooseWorkspace(); });
    bindIncomingFiles();
    c.bind("file.quit", [this] { close(); });
    c.bind("edit.undo", [this] { undoStack().undo(); });
    c.bind("edit.redo", [this] { undoStack().redo(); });
    connect(&undoStack(), &QUndoStack::indexChanged, this, &MainWindow::refreshCommands);
    c.bind("edit.copyLink", [this] { copyAddress(); });
    c.bind("edit.locate", [this] { m_locator->open(); });
    c.bind("edit.search", [this] {
        showPerspective(QStringLiteral("plan"));
        showView(QStringLiteral("stateGraph"));
        m_search->edit()->setFocus(Qt::ShortcutFocusReason);
    });
    c.bind("go.back", [this] { selection().goBack(); });
    c.bind("go.forward", [this] { selection().goForward(); });
    c.bind("help.tours", [this] {
        showPerspective(QStringLiteral("home"));
        m_home->showTours();
    });
    c.bind("help.shortcuts", [this] { showShortcuts(); });
    c.bind("help.about", [this] { showAbout(); });
}

void MainWindow::bindViewCommands() {
    Commands& c = commands();
    c.bind("view.home", [this] { showPerspective(QStringLiteral("home")); });
    c.bind("view.world", [this] { showPerspective(QStringLiteral("world")); });
    c.bind("view.plan", [this] { showPerspective(QStringLiteral("plan")); });
    c.bind("view.compare", [this] { showPerspective(QStringLiteral("compare")); });
    c.bind("view.fit", [this] { worldPanel().zoomToFit(); });
    c.bind("view.zoomIn", [this] { worldPanel().zoomBy(1.25); });
    c.bind("view.zoomOut", [this] { worldPanel().zoomBy(0.8); });
    c.bind("view.table", [this] { showTable(); });
    c.bind("view.fullScreen", [this](bool on) { on ? showFullScreen() : showNormal(); });
    c.bind("window.splitRight", [this] { splitView(Qt::Horizontal); });
    c.bind("window.splitDown", [this] { splitView(Qt::Vertical); });
    c.bind("window.moveView", [this] { moveViewToNextGroup(); });
    c.bind("window.closeView", [this] { hideView(centre().currentView()); });
    c.bind("window.resetLayout", [this] { resetLayout(); });
    c.bind("window.nextArea", [this] { focusNextArea(true); });
    c.bind("window.previousArea", [this] { focusNextArea(false); });
}

void MainWindow::bindRunCommands() {
    Commands& c = commands();
    c.bind("run.solve", [this] { solve(); });
    giveResumeItsIcon(c.action(QStringLiteral("run.pause")));
    c.bind("run.pause", [this] {
        if (!runBridge().isLive()) return resumeTraining(shownTrainingId());
        const auto snapshot = runBridge().snapshot();
        if (snapshot && snapshot->state == RunState::Paused)
            runBridge().resume();
        else
            runBridge().pause();
    });
    c.bind("run.cancel", [this] { runBridge().cancel(); });
    c.bind("world.step", [this] {
        if (stepTraining(false)) return;
        if (const PlanScope* scope = scopeAround(*this, &worldPanel()); scope && scope->isFrozen())
            session().step();  // that view only looks on
        else
            worldPanel().step();
    });
    c.bind("world.follow", [this] { session().followPolicy(); });
    c.bind("world.back", [this] {
        if (!stepTraining(true)) session().stepBack();
    });
    c.bind("world.restart", [this] { session().restart(); });
}

void MainWindow::makeMenus() {
    for (const QString& name : Commands::menuNames()) {
        QMenu* menu = menuBar()->addMenu(QLatin1Char('&') + tr(name.toLatin1().constData()));
        menu->setObjectName(QStringLiteral("menu_") + name);
        menu->setToolTipsVisible(true);
        commands().fill(menu, name);
        if (name == QLatin1String("File")) makeRecentMenu(menu);
        if (name == QLatin1String("Window")) makePanelsMenu(menu->addMenu(tr("&Views and panels")));
    }
}

void MainWindow::makePanelsMenu(QMenu* menu) {
    menu->setObjectName(QStringLiteral("menu_views"));
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        for (const ViewSpec& spec : views()) addToggle(menu, spec);
    });
}

void MainWindow::makeToolBar() {
    auto* bar = new CommandBar(tr("Main"), this);
    bar->setObjectName(QStringLiteral("mainToolBar"));
    const auto add = [&](const char* id, const CommandBar::Placing& placing) {
        return bar->addCommand(commands().action(QLatin1String(id)), placing);
    };
    // In Train the bar steps, pauses and stops the training; the open world stands aside.
    const QString train = QStringLiteral("train");
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

void MainWindow::refreshCommands() {
    const bool isOpen = session().isOpen();
    const bool isLive = runBridge().isLive();
    const auto snapshot = runBridge().snapshot();
    const QString noWorld = tr("No world is open: pick one on Home");
    const QString noRun = tr("Nothing runs");
    Commands& c = commands();
    c.setEnabled("run.solve", isOpen && !isLive, isOpen ? tr("A run is at work already") : noWorld);
    // Home, Train and Compare have a button of their own for what comes next.
    const auto solution = session().solution();
    const bool isDone =
        solution && (session().showsVariant() || !m_solvePanel->asksOther(solution->spec()));
    c.setFilled("run.solve", isOpen && !isDone &&
                                 (perspective() == QLatin1String("world") ||
                                  perspective() == QLatin1String("plan")));
    refreshTrainCommands();
    const bool isTrain = perspective() == QLatin1String("train");
    const bool isResumable = isTrain && !isLive && m_training->isResumable();
    const bool isPaused = isLive && snapshot && snapshot->state == RunState::Paused;
    c.setEnabled("run.pause", isLive || isResumable, noRun);
    c.setEnabled("run.cancel", isLive, noRun);
    c.action(QStringLiteral("run.pause"))
        ->setText(isPaused || isResumable ? tr("&Resume") : tr("&Pause"));
    // A training that is ended keeps what it has learned, a solve nothing.
    c.action(QStringLiteral("run.cancel"))
        ->setText(m_training->isLive() || (isTrain && !isLive) ? tr("&Stop") : tr("&Cancel"));
    for (const char* id : {"file.recordVideo", "edit.copyLink", "world.restart", "view.fit",
                           "view.zoomIn", "view.zoomOut"})
        c.setEnabled(id, isOpen, noWorld);
    c.setEnabled("go.back", selection().canGoBack(), tr("This is the first thing selected"));
    c.setEnabled("go.forward", selection().canGoForward(), tr("This is the last thing selected"));
    c.setEnabled("edit.undo", undoStack().canUndo(), tr("Nothing was changed"));
    c.setEnabled("edit.redo", undoStack().canRedo(), tr("Nothing was taken back"));
    const auto named = [](const QString& verb, const QString& what) {
        return what.isEmpty() ? verb : QStringLiteral("%1: %2").arg(verb, what);
    };
    c.action(QStringLiteral("edit.undo"))->setText(named(tr("&Undo"), undoStack().undoText()));
    c.action(QStringLiteral("edit.redo"))->setText(named(tr("&Redo"), undoStack().redoText()));
    c.setEnabled("window.closeView", !centre().currentView().isEmpty(), tr("No view is open"));
    refreshWorldCommands();
}

void MainWindow::refreshWorldCommands() {
    Commands& c = commands();
    const bool isOpen = session().isOpen();
    const bool atEnd = isOpen && session().isTerminal();
    const QString why = atEnd ? tr("This is the last step of the world") : tr("No world is open");
    // F7 and Shift+F7 step a training while it is watched.
    const bool isTraining = perspective() == QLatin1String("train") && m_training->isLive();
    c.action(QStringLiteral("world.step"))
        ->setText(isTraining ? tr("Training &step") : tr("&Step"));
    c.action(QStringLiteral("world.back"))
        ->setText(isTraining ? tr("&100 training steps") : tr("Step &back"));
    c.setEnabled("world.step", isTraining || (isOpen && !atEnd), why);
    c.setEnabled("world.follow", isOpen && session().values() && !atEnd,
                 isOpen && !atEnd ? tr("Solve the world first (F5)") : why);
    c.setEnabled("world.back", isTraining || (isOpen && session().walkIndex() > 0),
                 tr("This is the first state of the walk"));
}

void MainWindow::chooseWorldFile() {
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Open a world"), {}, tr("World files (*.yaml *.yml *.json);;All files (*)"));
    if (file.isEmpty()) return;
    openWorld(file);
    if (perspective() == QLatin1String("home")) showPerspective(QStringLiteral("world"));
}

/// Not while something is written to it; says so.
bool MainWindow::mayChangeWorkspace() {
    const bool hasRun = runBridge().isLive() || queue().isLive();
    if (!hasRun && jobs().numLive() == 0) return true;
    say(MessageKind::Warning,
        (hasRun ? tr("A run writes to this workspace.") : tr("Work goes on in this workspace.")) +
            tr(" Stop it or wait, then open another."));
    return false;
}

void MainWindow::chooseWorkspace() {
    if (!mayChangeWorkspace()) return;
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Open a workspace folder"));
    if (!folder.isEmpty()) openWorkspace(folder.toStdString());
}

void MainWindow::showShortcuts() {
    auto* dialog = new QDialog(this);
    dialog->setObjectName(QStringLiteral("shortcutSheet"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Commands and shortcuts"));
    dialog->resize(680, 560);
    auto* layout = new QVBoxLayout(dialog);
    auto* text = new QTextBrowser(dialog);
    text->setHtml(commands().sheetHtml());
    layout->addWidget(text);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    layout->addWidget(buttons);
    dialog->show();
}

void MainWindow::showAbout() {
    say(MessageKind::Info,
        tr("Orrery %1: exact planning and learning in worlds with humans and robots that share "
           "power. GPL-3.0-or-later. Qt %2.")
            .arg(QApplication::applicationVersion(), QLatin1String(qVersion())));
}

}  // namespace orrery
