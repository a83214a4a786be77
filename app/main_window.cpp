#include "app/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "core/run/snapshot.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/side_rail.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/level_strip.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/dag/successor_panel.h"
#include "widgets/dag/values_panel.h"
#include "widgets/history/runs_panel.h"
#include "widgets/world/agents_panel.h"
#include "widgets/world/episode_strip.h"
#include "widgets/world/examples_panel.h"
#include "widgets/world/joint_action_panel.h"
#include "widgets/world/world_panel.h"
#include "widgets/world/world_view.h"

namespace orrery {

namespace {

enum Page { kExamplesPage, kWorldPage, kSolvePage, kRunsPage };

/// "two rooms · beta_r 5": the world and what differs from a plain solve.
std::string runName(const LoadedWorld& world, const RunSpec& spec) {
    const SolveSpec& solve = std::get<SolveJob>(spec.job).solve;
    const SolveSpec plain;
    QString name = world.title;
    if (solve.beta_r != plain.beta_r) name += QStringLiteral(" · beta_r %1").arg(solve.beta_r);
    if (solve.beta_h != plain.beta_h) name += QStringLiteral(" · beta_h %1").arg(solve.beta_h);
    return name.toStdString();
}

}  // namespace

MainWindow::MainWindow(WindowOptions options)
    : m_options(std::move(options)),
      m_session(&m_selection),
      m_worker(std::make_unique<BackgroundWorker>()),
      m_archive(std::make_unique<Archive>(m_worker.get())),
      m_bridge(std::make_unique<RunBridge>(m_worker.get())),
      m_commands(new Commands(this)) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("Orrery"));
    resize(1280, 800);
    applyTheme(*qApp, m_options.theme);
    makeCentre();
    makeCommands();
    makeMenus();
    makeToolBar();
    makeStatusBar();
    connectParts();
    connectRuns();
    m_theme = m_options.theme;
    if (m_options.restoresLayout) {
        const QSettings settings;
        restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
        m_splitter->restoreState(settings.value(QStringLiteral("window/splitter")).toByteArray());
    }
    setTheme(m_theme);
    refreshCommands();
    refreshStatus();
}

MainWindow::~MainWindow() {
    // Runs write to the workspace until their end: they go before the archive that holds it.
    m_bridge.reset();
    m_worker.reset();
}

void MainWindow::makeCentre() {
    m_rail = new SideRail(this);
    m_examples = new ExamplesPanel(&m_session, this);
    m_solvePanel = new SolvePanel(this);
    m_runs = new RunsPanel(&m_selection, this);
    m_rail->addPage(m_examples, tr("Examples"), QStringLiteral("view-grid"),
                    tr("Example worlds (Ctrl+1)"));
    m_rail->addPage(new AgentsPanel(&m_session, this), tr("World"), QStringLiteral("world"),
                    tr("Agents and goals (Ctrl+2)"));
    m_rail->addPage(m_solvePanel, tr("Solve"), QStringLiteral("plan"),
                    tr("Parameters and progress (Ctrl+3)"));
    m_rail->addPage(m_runs, tr("Runs"), QStringLiteral("document-open-recent"),
                    tr("Runs of the workspace (Ctrl+4)"));
    m_rail->pages()->setMinimumWidth(200);
    m_messages = new MessageStrip(this);
    m_worldPanel = new WorldPanel(&m_session, this);
    m_levels = new LevelStrip(&m_session, this);
    auto* middle = new QFrame(this);
    middle->setProperty("look", QStringLiteral("panel"));
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_messages);
    column->addWidget(m_worldPanel, 1);
    column->addWidget(makeLine(middle));
    column->addWidget(new EpisodeStrip(&m_session, middle));
    column->addWidget(makeLine(middle));
    column->addWidget(m_levels);
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setObjectName(QStringLiteral("splitter"));
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_rail->pages());
    m_splitter->addWidget(middle);
    m_splitter->addWidget(makeInspector());
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setStretchFactor(2, 0);
    m_splitter->setSizes({236, 660, 332});
    auto* central = new QWidget(this);
    central->setObjectName(QStringLiteral("central"));
    auto* row = new QHBoxLayout(central);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_rail);
    auto* edge = new QFrame(central);
    edge->setProperty("look", QStringLiteral("edge"));
    edge->setFixedWidth(1);
    row->addWidget(edge);
    row->addWidget(m_splitter, 1);
    setCentralWidget(central);
}

QWidget* MainWindow::makeInspector() {
    auto* area = new QScrollArea(this);
    area->setObjectName(QStringLiteral("inspector"));
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setMinimumWidth(308);
    auto* content = new QWidget(area);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(16, 14, 16, 16);
    column->setSpacing(12);
    m_values = new ValuesPanel(&m_session, content);
    column->addWidget(m_values->header());
    column->addWidget(makeLine(content));
    column->addWidget(new JointActionPanel(&m_session, content));
    column->addWidget(makeLine(content));
    column->addWidget(new SuccessorPanel(&m_session, content));
    column->addWidget(makeLine(content));
    column->addWidget(m_values);
    column->addStretch(1);
    area->setWidget(content);
    return area;
}

void MainWindow::makeStatusBar() {
    m_statusDot = new QLabel(this);
    m_statusDot->setFixedSize(8, 8);
    m_statusText = new QLabel(this);
    m_statusText->setObjectName(QStringLiteral("statusText"));
    m_statusNumbers = new QLabel(this);
    m_statusNumbers->setObjectName(QStringLiteral("statusNumbers"));
    m_statusPlace = new QLabel(this);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(12, 0, 12, 0);
    statusBar()->addWidget(m_statusDot);
    statusBar()->addWidget(m_statusText);
    statusBar()->addWidget(m_statusNumbers);
    statusBar()->addPermanentWidget(m_statusPlace);
}

void MainWindow::connectParts() {
    connect(m_examples, &ExamplesPanel::openRequested, this, &MainWindow::openWorld);
    connect(m_examples, &ExamplesPanel::fileRequested, this, &MainWindow::chooseFile);
    connect(m_values, &ValuesPanel::solveRequested, this, &MainWindow::solve);
    connect(m_runs, &RunsPanel::reopenRequested, m_archive.get(), &Archive::reopen);
    connect(&m_session, &PlanSession::worldChanged, this, [this] {
        setWindowTitle(m_session.loaded().title + QStringLiteral(" – Orrery"));
        m_solvePanel->setCanSolve(true);
    });
    for (const auto signal :
         {&PlanSession::worldChanged, &PlanSession::solutionChanged, &PlanSession::stateChanged}) {
        connect(&m_session, signal, this, &MainWindow::refreshCommands);
        connect(&m_session, signal, this, &MainWindow::refreshStatus);
        connect(&m_session, signal, this, &MainWindow::refreshCrumbs);
    }
    connect(&m_selection, &Selection::historyChanged, this, &MainWindow::refreshCommands);
    connect(&m_selection, &Selection::historyChanged, this, &MainWindow::refreshCrumbs);
}

void MainWindow::connectRuns() {
    connect(m_solvePanel, &SolvePanel::solveRequested, this, &MainWindow::solve);
    connect(m_solvePanel, &SolvePanel::pauseRequested, m_bridge.get(), &RunBridge::pause);
    connect(m_solvePanel, &SolvePanel::resumeRequested, m_bridge.get(), &RunBridge::resume);
    connect(m_solvePanel, &SolvePanel::cancelRequested, m_bridge.get(), &RunBridge::cancel);
    connect(m_bridge.get(), &RunBridge::snapshotChanged, this, &MainWindow::showRunProgress);
    connect(m_bridge.get(), &RunBridge::ended, this, &MainWindow::finishRun);
    connect(m_archive.get(), &Archive::opened, this, [this] {
        const Workspace& workspace = *m_archive->workspace();
        const QString folder = QString::fromStdString(workspace.folder().filename().string());
        m_statusPlace->setText(workspace.writable() ? folder : tr("%1 (read only)").arg(folder));
        m_runs->setPlace(QString::fromStdString(workspace.folder().string()));
        if (!workspace.writable())
            m_messages->show(MessageKind::Warning,
                             QString::fromStdString(workspace.readOnlyReason()));
    });
    connect(m_archive.get(), &Archive::runsChanged, this,
            [this] { m_runs->setRuns(m_archive->runs()); });
    connect(m_archive.get(), &Archive::failed, this,
            [this](const QString& text) { m_messages->show(MessageKind::Error, text); });
    connect(m_archive.get(), &Archive::reopened, this,
            [this](const std::shared_ptr<const ReopenedSolve>& run) { showReopened(*run); });
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (m_hasStarted) return;
    m_hasStarted = true;
    QTimer::singleShot(0, this, &MainWindow::start);  // after the first paint
}

void MainWindow::start() {
    openWorld(m_options.world);
    using Examples = std::vector<LoadedWorld>;
    m_worker->append<Examples>(
        [](std::stop_token stop) { return loadExamples(stop); },
        [this](Examples examples) { m_examples->setExamples(std::move(examples)); },
        [this](const QString& text) { m_messages->show(MessageKind::Error, text); });
    m_archive->open(m_options.workspace.empty() ? Workspace::defaultFolder() : m_options.workspace);
}

void MainWindow::openWorld(const QString& world) {
    m_worker->append<LoadedWorld>(
        [world](std::stop_token) {
            return loadWorld(world.isEmpty() ? firstExample() : world.toStdString());
        },
        [this](const LoadedWorld& loaded) {
            if (loaded.world) {
                m_messages->clear();
                m_session.open(loaded);
            } else {
                m_messages->show(MessageKind::Error, loaded.problems.join(u'\n'));
            }
        },
        [this](const QString& text) { m_messages->show(MessageKind::Error, text); });
}

void MainWindow::solve() {
    if (!m_session.isOpen() || m_bridge->isLive() || !m_solvePanel->isValid()) return;
    RunSpec spec = m_solvePanel->spec();
    auto& job = std::get<SolveJob>(spec.job);
    job.world = m_session.loaded().name;
    job.worldText = m_session.loaded().text;
    spec.name = runName(m_session.loaded(), spec);
    try {
        m_bridge->start(spec, m_archive->writableWorkspace());
        m_messages->clear();
        m_rail->showPage(kSolvePage);
    } catch (const Error& error) {
        m_messages->show(MessageKind::Error, QString::fromUtf8(error.what()));
    }
    refreshCommands();
}

void MainWindow::showRunProgress() {
    const auto snapshot = m_bridge->snapshot();
    m_solvePanel->showRun(snapshot.get());
    const auto& job = std::get<SolveSnapshot>(snapshot->job);
    if (isLive(snapshot->state) && !job.levelStates.empty()) m_levels->showProgress(job);
    refreshCommands();
    refreshStatus();
}

void MainWindow::finishRun() {
    const auto snapshot = m_bridge->snapshot();
    const auto& job = std::get<SolveSnapshot>(snapshot->job);
    m_solvePanel->showRun(nullptr);
    m_levels->showSolution();
    m_archive->refreshRuns();
    if (snapshot->state == RunState::Finished && job.solution) {
        // Another world may have been opened meanwhile; the run is in the list then.
        if (m_session.world().contentHash() == job.solution->world().contentHash())
            m_session.attach(job.solution, QString::fromStdString(snapshot->id));
    } else if (snapshot->state == RunState::Stopped) {
        m_messages->show(MessageKind::Info, tr("The solve was cancelled; nothing was changed."));
    } else {
        m_messages->show(MessageKind::Error, QString::fromStdString(snapshot->trouble));
    }
    refreshCommands();
    refreshStatus();
}

void MainWindow::showReopened(const ReopenedSolve& run) {
    const auto& job = std::get<SolveJob>(run.spec.job);
    if (!m_session.isOpen() || m_session.world().contentHash() != run.world->contentHash()) {
        LoadedWorld loaded;
        loaded.name = job.world;
        loaded.text = job.worldText.value_or(std::string());
        loaded.title = QString::fromStdString(run.world->name());
        loaded.world = run.world;
        m_session.open(loaded);
    }
    m_solvePanel->setSpec(run.spec);
    m_session.attach(run.solution, QString::fromStdString(run.record.id));
    m_messages->clear();
}

void MainWindow::refreshStatus() {
    const Tokens& tokens = currentTokens();
    const auto snapshot = m_bridge->snapshot();
    const auto solution = m_session.solution();
    QColor color = tokens.text3;
    QString text = tr("Ready"), numbers;
    if (m_bridge->isLive() && snapshot) {
        color = snapshot->state == RunState::Paused ? tokens.warning : tokens.info;
        text = snapshot->state == RunState::Paused ? tr("Paused") : phaseText(snapshot->progress);
        numbers = progressText(snapshot->progress);
    } else if (solution) {
        const StateGraph& graph = solution->graph();
        color = tokens.ok;
        text = tr("Solved");
        std::int64_t states = 0;
        for (int step = 0; step < graph.numLevels(); ++step) states += graph.levelSize(step);
        numbers = tr("%1 states · %2 levels · %3 configurations · graph %4")
                      .arg(countText(states))
                      .arg(graph.numLevels())
                      .arg(countText(graph.numConfigs()), bytesText(graph.storedBytes()));
    } else if (m_session.isOpen()) {
        text = tr("Not solved");
        numbers = tr("press F5 to solve");
    }
    m_statusDot->setStyleSheet(
        QStringLiteral("background: %1; border-radius: 4px;").arg(color.name()));
    m_statusText->setText(text);
    m_statusNumbers->setText(numbers);
}

void MainWindow::refreshCrumbs() {
    if (!m_session.isOpen()) return m_crumbs->clear();
    QStringList parts{m_session.loaded().title.toHtmlEscaped()};
    if (const auto* run = m_selection.current<RunItem>()) parts << run->id.toHtmlEscaped();
    parts << tr("t %1").arg(m_session.state().step);
    if (m_session.state().index >= 0)
        parts << tr("<b>s %1</b>").arg(countText(m_session.state().index));
    m_crumbs->setText(parts.join(QStringLiteral("&nbsp; › &nbsp;")));
}

void MainWindow::setTheme(ThemeChoice choice) {
    m_theme = choice;
    applyTheme(*qApp, choice);
    m_commands->applyTokens(currentTokens());
    refreshStatus();
}

void MainWindow::showPage(int page) {
    m_rail->showPage(page);
}

bool MainWindow::isSettled() const {
    return m_hasStarted && m_worker->numOpenJobs() == 0 && !m_bridge->isLive() &&
           !m_worldPanel->view()->isComputingHeat();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_bridge->isLive() &&
        QMessageBox::question(this, tr("A solve is running"),
                              tr("Cancel the solve and quit? What it has explored is lost."),
                              QMessageBox::Cancel | QMessageBox::Ok) != QMessageBox::Ok)
        return event->ignore();
    if (m_options.restoresLayout) {
        QSettings settings;
        settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
        settings.setValue(QStringLiteral("window/splitter"), m_splitter->saveState());
        settings.setValue(QStringLiteral("window/theme"), nameOf(m_theme));
    }
    event->accept();
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::ThemeChange && m_theme == ThemeChoice::System) setTheme(m_theme);
    QMainWindow::changeEvent(event);
}

}  // namespace orrery
