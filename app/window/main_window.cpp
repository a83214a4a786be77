#include "app/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QLabel>
#include <QStatusBar>
#include <QTimer>
#include <algorithm>
#include <memory>
#include <utility>

#include "app/window/crumb_label.h"
#include "app/window/crumbs.h"
#include "app/window/figure_part.h"
#include "app/window/help_parts.h"
#include "app/window/plan_scope.h"
#include "app/window/process_age.h"
#include "core/run/snapshot.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/common/wheel_guard.h"
#include "widgets/compare/compare_view.h"
#include "widgets/dag/episode_values.h"
#include "widgets/dag/level_bands.h"
#include "widgets/dag/path_list.h"
#include "widgets/dag/path_sampler.h"
#include "widgets/dag/predicate_bar.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/dag/state_canvas.h"
#include "widgets/dag/state_view.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/job_list.h"
#include "widgets/frame/message_centre.h"
#include "widgets/frame/session_file.h"
#include "widgets/frame/window_place.h"
#include "widgets/help/help_part.h"
#include "widgets/history/runs_panel.h"
#include "widgets/home/home_view.h"
#include "widgets/part/log_part.h"
#include "widgets/part/settings_part.h"
#include "widgets/settings/preferences.h"
#include "widgets/train/train_session.h"
#include "widgets/world/timeline.h"
#include "widgets/world/world_editor.h"
#include "widgets/world/world_panel.h"
#include "widgets/world/world_view.h"

namespace orrery {

namespace {

constexpr QSize kLeastSize(640, 480), kFirstSize(1280, 800);
constexpr int kPlaceWidth = 240;  ///< of a workspace's name, at most

}  // namespace

MainWindow::MainWindow(WindowOptions options)
    : m_options(std::move(options)),
      m_bench(this, m_options.preferencesFile, m_options.restoresSession),
      m_inspectorWorker(std::make_unique<BackgroundWorker>()) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("Orrery"));
    setMinimumSize(kLeastSize);  // Qt would take what the views like to have
    resize(m_options.size.isEmpty() ? kFirstSize : m_options.size);
    new WheelGuard(this);
    new DialogFit(this);
    applyTheme(*qApp, m_options.theme);
    m_solvePanel = new SolvePanel(this);
    m_solvePanel->hide();
    m_runs = new RunsPanel(&selection(), this);
    m_runs->hide();
    m_timeline = new Timeline(&session(), this);
    m_editor = new WorldEditor(&session(), &undoStack(), this);
    makeParts();
    makeViews();
    makePerspectives();
    setTimeline(m_timeline);
    bindCommands();
    makeMenus();
    makeToolBar();
    setUpFrame();
    fillLocator();
    makeStatusBar();
    connectParts();
    connectRuns();
    applyPreferences();
    if (!m_options.world.isEmpty()) showPerspective(QStringLiteral("world"));
    restoreSession();
    setTheme(m_options.theme);
    refreshCommands();
    refreshStatus();
}

void MainWindow::makeParts() {
    m_settings = addPart<SettingsPart>();
    m_help = addPart<HelpPart>(helpParts(commands()));
    m_figures = addPart<FigurePart>();
    addPart<LogPart>();
    connect(m_settings, &SettingsPart::helpRequested, m_help, &HelpPart::open);
    connect(m_settings, &SettingsPart::themeChanged, this, &MainWindow::refreshStatus);
}

MainWindow::~MainWindow() {
    // What the frame takes down after this must not reach slots of the window.
    undoStack().disconnect(this);
    qApp->disconnect(this);
    disconnect(this, nullptr, this, nullptr);
}

WorldPanel& MainWindow::worldPanel() {
    if (auto* current = view<WorldPanel>(centre().currentView())) return *current;
    return *view<WorldPanel>(QStringLiteral("world"));
}

void MainWindow::makeStatusBar() {
    m_statusDot = new QLabel(this);
    m_statusDot->setFixedSize(8, 8);
    m_statusText = new QLabel(this);
    m_statusText->setObjectName(QStringLiteral("statusText"));
    m_statusNumbers = makeLabel({}, "", this);
    m_statusNumbers->setObjectName(QStringLiteral("statusNumbers"));
    m_statusPlace = new QLabel(this);
    m_statusPlace->setTextFormat(Qt::PlainText);
    m_statusPlace->setObjectName(QStringLiteral("statusPlace"));
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(12, 0, 12, 0);
    statusBar()->addWidget(m_statusDot);
    statusBar()->addWidget(m_statusText);
    statusBar()->addWidget(m_statusNumbers);
    statusBar()->addPermanentWidget(m_statusPlace);
    statusBar()->addPermanentWidget(new MessageCentre(&jobs(), &messages(), this));
    watchStatus();
}

void MainWindow::connectParts() {
    connect(m_editor, &WorldEditor::said, this,
            qOverload<MessageKind, const QString&>(&Frame::say));
    connect(&session(), &PlanSession::worldChanged, this, [this] {
        // Another document; its changes and those of the former one are not undone together.
        if (std::exchange(m_document, m_editor->document()) != m_document) undoStack().clear();
        refreshTitle();
        m_solvePanel->setCanSolve(true);
    });
    connect(m_editor, &WorldEditor::specChanged, this, &MainWindow::refreshTitle);
    connect(m_editor, &WorldEditor::specChanged, this, &MainWindow::refreshCommands);
    for (const auto signal :
         {&PlanSession::worldChanged, &PlanSession::solutionChanged, &PlanSession::stateChanged}) {
        connect(&session(), signal, this, &MainWindow::refreshCommands);
        connect(&session(), signal, this, &MainWindow::refreshStatus);
        connect(&session(), signal, this, &MainWindow::refreshCrumbs);
    }
    connect(&session(), &PlanSession::renamed, this, &MainWindow::refreshCrumbs);
    connect(&selection(), &Selection::historyChanged, this, &MainWindow::refreshCommands);
    connect(&selection(), &Selection::historyChanged, this, &MainWindow::refreshCrumbs);
    connect(this, &Frame::currentViewChanged, this, &MainWindow::refreshCommands);
    for (const auto signal : {&Selection::setChanged, &Selection::currentChanged})
        connect(&selection(), signal, this, [this](SelectionKind kind) {
            if (kind == SelectionKind::Run) refreshCrumbs();
        });
    for (const auto refresh :
         {&MainWindow::refreshCommands, &MainWindow::refreshTitle, &MainWindow::refreshCrumbs})
        connect(this, &Frame::perspectiveChanged, this, refresh);
}

void MainWindow::connectRuns() {
    connect(m_runs, &RunsPanel::reopenRequested, this, &MainWindow::openRun);
    connect(m_solvePanel, &SolvePanel::specChanged, this, &MainWindow::refreshCommands);
    connect(m_solvePanel, &SolvePanel::solveRequested, this, &MainWindow::solve);
    connect(m_solvePanel, &SolvePanel::pauseRequested, &runBridge(), &RunBridge::pause);
    connect(m_solvePanel, &SolvePanel::resumeRequested, &runBridge(), &RunBridge::resume);
    connect(m_solvePanel, &SolvePanel::cancelRequested, &runBridge(), &RunBridge::cancel);
    // A training tells of itself less often than its snapshots come.
    connect(&runBridge(), &RunBridge::snapshotChanged, this, [this] {
        if (!m_training->isLive()) showRunProgress();
    });
    connect(m_training, &TrainSession::changed, this, [this] {
        if (m_training->isLive() && runBridge().snapshot()) return showRunProgress();
        refreshCommands();
        refreshStatus();
    });
    connect(&runBridge(), &RunBridge::ended, this, &MainWindow::finishRun);
    connect(&archive(), &Archive::left, this, &MainWindow::leaveRuns);
    connect(&archive(), &Archive::opened, this, [this] {
        const Workspace& workspace = *archive().workspace();
        const QString folder = QString::fromStdString(workspace.folder().filename().string());
        const QString place = QString::fromStdString(workspace.folder().string());
        // A name of any length and with any letters stands on one line.
        const QString name = m_statusPlace->fontMetrics().elidedText(folder.simplified(),
                                                                     Qt::ElideMiddle, kPlaceWidth);
        m_statusPlace->setText(workspace.writable() ? name : tr("%1 (read only)").arg(name));
        m_statusPlace->setToolTip(place);
        m_runs->setPlace(place);
        if (m_home) m_home->setPlace(place);
        if (!workspace.writable())
            say(MessageKind::Warning, QString::fromStdString(workspace.readOnlyReason()),
                tr("Open another..."), [this] { chooseWorkspace(); });
    });
    connect(&archive(), &Archive::runsChanged, this, [this] {
        m_runs->setRuns(archive().runs(), archive().runSeconds());
        refreshCrumbs();  // names may be others
        if (m_runsListedSeconds == 0) m_runsListedSeconds = processAge();
        reopenKeptRun();
        followFirstAddress();
        if (m_home) m_home->setRuns(archive().runs(), archive().reached(), archive().runSeconds());
        refreshStatus();
    });
    connect(&archive(), &Archive::failed, this, [this](const QString& text) {
        m_addressToFollow.clear();
        if (!archive().isListed()) {
            const QString why = tr("The runs could not be read; the message says why.");
            m_runs->setNoRuns(why);
            if (m_home) m_home->setNoRuns(why);
        }
        say(MessageKind::Error, text);
    });
    connect(&archive(), &Archive::reopened, this,
            [this](const std::shared_ptr<const ReopenedSolve>& run) { showReopened(*run); });
}

/// Another workspace counts its runs anew: what is shown bears none of its ids.
void MainWindow::leaveRuns() {
    selection().setSet(SelectionKind::Run, {});
    selection().clearCurrent(SelectionKind::Run);
    session().forgetRun();
    m_training->leaveStore();
}

void MainWindow::paintEvent(QPaintEvent* event) {
    QMainWindow::paintEvent(event);
    if (m_hasPainted) return;
    m_hasPainted = true;
    QTimer::singleShot(0, this, &MainWindow::start);  // when all is painted and shown
}

void MainWindow::start() {
    m_firstPaintSeconds = processAge();
    m_hasStarted = true;
    if (m_options.restoresSession && m_options.size.isEmpty()) keepOnScreen(*this);
    WorldRef first{.name = m_options.world.toStdString()};
    if (const QJsonValue draft = m_pendingDocument.value(u"draft"); draft.isObject())
        first.text = draft[u"text"].toString().toStdString();
    openWorld(first);
    using Examples = std::vector<LoadedWorld>;
    worker().append<Examples>([](std::stop_token stop) { return loadExamples(stop); },
                              [this](Examples examples) {
                                  m_exampleWorlds = std::move(examples);
                                  if (m_home) m_home->setExamples(m_exampleWorlds);
                              },
                              [this](const QString& text) { say(MessageKind::Error, text); });
    openWorkspace(startWorkspace());
}

void MainWindow::openWorkspace(const std::filesystem::path& folder) {
    archive().open(folder);
}

void MainWindow::openWorld(const QString& world) {
    openWorld(WorldRef{.name = world.toStdString()});
}

void MainWindow::openWorld(const WorldRef& world, const std::function<void()>& opened) {
    if (!mayLeaveWorld()) return m_solvesWhenOpened.clear();
    worker().append<LoadedWorld>(
        [world](std::stop_token) {
            return world.name.empty() ? loadWorld(firstExample()) : loadWorld(world);
        },
        [this, opened](const LoadedWorld& loaded) {
            const QString toSolve = std::exchange(m_solvesWhenOpened, {});
            if (!loaded.world) return say(MessageKind::Error, loaded.problems.join(u'\n'));
            // What was said while the program started stays.
            if (session().isOpen()) strip().clear();
            session().open(loaded);
            noteRecentWorld(QString::fromStdString(loaded.name));
            restoreDraft();
            if (m_pendingRun.isEmpty()) restoreDocument();
            followFirstAddress();
            if (opened) opened();
            if (toSolve == QString::fromStdString(loaded.name)) solve();
        },
        [this](const QString& text) { say(MessageKind::Error, text); });
}

void MainWindow::refreshStatus() {
    const Tokens& tokens = currentTokens();
    const auto snapshot = runBridge().snapshot();
    const auto solution = session().solution();
    QColor color = tokens.text3;
    QString text = tr("Ready"), numbers;
    if (runBridge().isLive() && snapshot) {
        const bool waits =
            snapshot->state == RunState::Paused || snapshot->state == RunState::Blocked;
        color = waits ? tokens.warning : tokens.info;
        text = snapshot->state == RunState::Paused    ? tr("Paused")
               : snapshot->state == RunState::Blocked ? tr("Waits for disk space")
                                                      : phaseText(snapshot->progress);
        if (!waits && !trainingState().isEmpty()) text = trainingState();
        numbers = trainingStatus();
        if (numbers.isEmpty()) numbers = progressText(snapshot->progress);
    } else if (solution) {
        const StateGraph& graph = solution->graph();
        color = session().showsVariant() ? tokens.warning : tokens.ok;
        text = session().showsVariant() ? tr("Exploring") : tr("Solved");
        std::int64_t states = 0;
        for (int step = 0; step < graph.numLevels(); ++step) states += graph.levelSize(step);
        numbers = tr("%1 states · %2 levels · %3 configurations · graph %4")
                      .arg(countText(states))
                      .arg(graph.numLevels())
                      .arg(countText(graph.numConfigs()), bytesText(graph.storedBytes()));
        const auto& seconds = archive().runSeconds();
        if (const auto known = seconds.find(session().runId().toStdString());
            known != seconds.end() && !session().showsVariant())
            numbers += tr(" · %1 to solve").arg(durationText(known->second));
    } else if (session().isOpen()) {
        text = tr("Not solved");
        numbers = tr("press F5 to solve");
    }
    const QString dot = QStringLiteral("background: %1; border-radius: 4px;").arg(color.name());
    if (m_statusDot->styleSheet() != dot) m_statusDot->setStyleSheet(dot);
    m_statusText->setText(text);
    m_statusNumbers->setText(numbers);
}

void MainWindow::refreshCrumbs() {
    const QStringList parts = showsTraining() ? trainingCrumbs()
                              : perspective() == QLatin1String("compare")
                                  ? crumbsOfCompared(selection(), archive().runs())
                                  : crumbsOfWorld(session(), archive().runs());
    m_crumbs->setParts(parts);
}

void MainWindow::setTheme(ThemeChoice choice) {
    m_settings->setTheme(choice);
}

bool MainWindow::isSettled() const {
    const auto canvases = findChildren<StateCanvas*>();
    const auto isBusy = [](const StateCanvas* canvas) {
        return canvas->isWorking() || canvas->isMoving();
    };
    return isSettledBesidesSearches() && !(m_paths && m_paths->isWorking()) &&
           std::ranges::none_of(canvases, isBusy);
}

bool MainWindow::isSettledBesidesSearches() const {
    const auto worlds = findChildren<WorldView*>();
    const auto bands = findChildren<LevelBands*>();
    return m_hasStarted && worker().numOpenJobs() == 0 && !runBridge().isLive() &&
           std::ranges::none_of(worlds, &WorldView::isComputingHeat) && m_pendingScopes.empty() &&
           !(m_search && m_search->isWorking()) && !(m_compare && m_compare->isWorking()) &&
           std::ranges::none_of(bands, &LevelBands::isWorking) &&
           !(m_episode && m_episode->isWorking()) && !(m_sampler && m_sampler->isWorking()) &&
           isExplorationSettled();
}

void MainWindow::closeAtOnce() {
    m_asksBeforeClosing = false;
    close();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_asksBeforeClosing && !mayClose()) return event->ignore();
    // Nothing was learned from a first skipped step: the training is kept as one that runs.
    if (const auto trouble = m_training->trouble(); trouble && !trouble->isLast)
        m_training->checkpoint();
    keepSession();
    if (m_options.restoresSession) endRestoring(sessionFileName());
    event->accept();
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::ThemeChange && m_settings->theme() == ThemeChoice::System)
        setTheme(ThemeChoice::System);
    // Who takes the window out again wants to stay.
    if (event->type() == QEvent::WindowStateChange && !isMinimized()) m_closesWhenDone = false;
    QMainWindow::changeEvent(event);
}

}  // namespace orrery
