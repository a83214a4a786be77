#include "app/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "app/window/address_part.h"
#include "app/window/crumb_label.h"
#include "app/window/figure_part.h"
#include "app/window/files_part.h"
#include "app/window/help_parts.h"
#include "app/window/part_list.h"
#include "app/window/status_line.h"
#include "app/window/tools_part.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/bridge/queue_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/common/wheel_guard.h"
#include "widgets/compare/compare_part.h"
#include "widgets/dag/graph_part.h"
#include "widgets/dag/plan_part.h"
#include "widgets/entity/entity_part.h"
#include "widgets/explore/explore_part.h"
#include "widgets/frame/session_file.h"
#include "widgets/frame/window_place.h"
#include "widgets/help/help_part.h"
#include "widgets/history/history_part.h"
#include "widgets/home/home_part.h"
#include "widgets/imgui/solver_timeline_part.h"
#include "widgets/learned/learned_part.h"
#include "widgets/part/live_part.h"
#include "widgets/part/log_part.h"
#include "widgets/part/perspective_ids.h"
#include "widgets/part/process_age.h"
#include "widgets/part/scope_part.h"
#include "widgets/part/settings_part.h"
#include "widgets/replay/replay_part.h"
#include "widgets/settings/preferences.h"
#include "widgets/train/train_form_part.h"
#include "widgets/train/train_part.h"
#include "widgets/world/world_part.h"

namespace orrery {

namespace {

constexpr QSize kLeastSize(640, 480), kFirstSize(1280, 800);

}  // namespace

MainWindow::MainWindow(WindowOptions options)
    : m_options(std::move(options)),
      m_bench(this, m_options.preferencesFile, m_options.restoresSession) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("Orrery"));
    setMinimumSize(kLeastSize);  // Qt would take what the views like to have
    resize(m_options.size.isEmpty() ? kFirstSize : m_options.size);
    new WheelGuard(this);
    new DialogFit(this);
    applyTheme(*qApp, m_options.theme);
    makeParts();
    for (const auto& part : m_parts) part->addViews();
    addOwnViews();
    std::vector<PerspectiveSpec> perspectives;
    for (const auto& part : m_parts)
        std::ranges::move(part->perspectives(), std::back_inserter(perspectives));
    std::ranges::sort(perspectives, {}, &PerspectiveSpec::number);
    for (PerspectiveSpec& perspective : perspectives) addPerspective(std::move(perspective));
    bindCommands();
    makeMenus();
    makeToolBar();
    setUpFrame();
    fillLocator();
    m_status = new StatusLine(this, m_options.watch);
    connectParts();
    for (const char* key :
         {"appearance/colorMap", "appearance/reducedMotion", "appearance/viewRate",
          "charts/smoothing", "compute/runsAtOnce", "compute/threads", "compute/memoryBudget",
          "export/widthMm", "export/dpi"})
        applyPreference(QLatin1String(key));
    if (!m_options.world.isEmpty()) showPerspective(kWorldPerspective);
    restoreSession();
    setTheme(m_settings->theme());
    refresh();
}

void MainWindow::makeParts() {
    m_settings = addPart<SettingsPart>(m_options.theme);
    auto* help = addPart<HelpPart>(helpParts(commands()));
    connect(m_settings, &SettingsPart::helpRequested, help, &HelpPart::open);
    connect(m_settings, &SettingsPart::themeChanged, this, &MainWindow::refresh);
    addPart<FigurePart>();
    auto* scopes = addPart<ScopePart>();
    m_world = addPart<WorldPart>(scopes);
    m_history = addPart<HistoryPart>();
    auto* live = addPart<LivePart>();
    auto* graph = addPart<GraphPart>(scopes, m_world);
    m_plan = addPart<PlanPart>(scopes, m_world, live, graph);
    auto* explore = addPart<ExplorePart>(m_plan);
    addPart<SolverTimelinePart>();
    m_train = addPart<TrainPart>(m_world, live);
    auto* form = addPart<TrainFormPart>(m_world, m_train);
    addPart<EntityPart>(m_train);
    addPart<ReplayPart>(m_train);
    addPart<LearnedPart>(m_world, m_plan, m_train);
    auto* compare = addPart<ComparePart>(scopes, explore);
    addPart<HomePart>(HomePart::Parts{m_world, m_plan, m_train, m_history, help});
    auto* address = addPart<AddressPart>(m_world, m_plan, graph, m_options.address);
    m_files = addPart<FilesPart>(
        FilesPart::Parts{m_world, m_plan, m_train, form, m_history, compare, address});
    addPart<LogPart>();
    addPart<ToolsPart>();
    for (const MakePart& make : moreParts()) m_parts.push_back(make(m_bench));
}

MainWindow::~MainWindow() {
    // What the frame takes down after this must not reach slots of the window.
    undoStack().disconnect(this);
    qApp->disconnect(this);
    disconnect(this, nullptr, this, nullptr);
}

void MainWindow::connectParts() {
    connect(&m_bench, &Workbench::refreshWanted, this, &MainWindow::refresh);
    connect(&m_bench, &Workbench::keepWanted, this, &MainWindow::keepSession);
    connect(&m_bench, &Workbench::runWanted, this,
            [this](const QString& id) { openRun(id, false); });
    connect(&m_bench, &Workbench::continueWanted, this,
            [this](const QString& id) { openRun(id, true); });
    connect(&m_bench, &Workbench::liveShown, this, &MainWindow::refresh);
    for (const auto signal : {&PlanSession::worldChanged, &PlanSession::solutionChanged,
                              &PlanSession::stateChanged, &PlanSession::renamed})
        connect(&session(), signal, this, &MainWindow::refresh);
    connect(&selection(), &Selection::historyChanged, this, &MainWindow::refresh);
    for (const auto signal : {&Frame::currentViewChanged, &Frame::perspectiveChanged})
        connect(this, signal, this, &MainWindow::refresh);
    connect(&undoStack(), &QUndoStack::indexChanged, this, &MainWindow::refreshCommands);
    connect(&archive(), &Archive::opened, this,
            [this] { m_status->setWorkspace(*archive().workspace()); });
    connect(&preferences(), &Preferences::changed, this, &MainWindow::applyPreference);
    connect(&live(), &LiveRuns::ended, this, &MainWindow::closeIfDone);
    connect(&m_bench.queue(), &QueueBridge::ended, this, &MainWindow::closeIfDone);
    connect(m_train, &TrainPart::halted, this, [this] {
        // What was to be finished before the window closes would wait for ever.
        if (std::exchange(m_closesWhenDone, false)) showWanted({});
    });
}

ThemeChoice MainWindow::theme() const {
    return m_settings->theme();
}

TrainSession& MainWindow::training() {
    return m_train->training();
}

WorldPanel& MainWindow::worldPanel() {
    return m_world->panel();
}

double MainWindow::runsListedSeconds() const {
    return m_history->listedSeconds();
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
    m_world->openFirst(m_options.world);
    m_history->openFirst(m_options.workspace);
}

void MainWindow::openWorld(const QString& world) {
    m_world->open({.name = world.toStdString()});
}

void MainWindow::solve() {
    m_plan->solve();
}

void MainWindow::showWanted(const QString& what) {
    setWindowState(windowState() & ~Qt::WindowMinimized);
    raise();
    activateWindow();
    QApplication::alert(this);
    if (!what.isEmpty()) m_files->show(what);
}

/// A stored run by the part whose kind it is.
/// @param goesOn  it was interrupted, and shall not only be shown
void MainWindow::openRun(const QString& id, bool goesOn) {
    const auto& runs = archive().runs();
    const auto run = std::ranges::find(runs, id.toStdString(), &RunRecord::id);
    if (run == runs.end()) return archive().reopen(id);  // says so
    for (auto part = m_parts.rbegin(); part != m_parts.rend(); ++part)
        if (goesOn ? (*part)->continuesRun(*run) : (*part)->opensRun(*run)) return;
}

void MainWindow::applyPreference(const QString& key) {
    for (const auto& part : m_parts) part->applyPreference(key);
    if (key == QLatin1String("general/restoreSession"))
        keepSession();  // not the last one that was kept
    else if (key == QLatin1String("advanced/keepSeconds") && m_keeping)
        m_keeping->setInterval(std::chrono::seconds(preferences().value(key).toInt()));
}

StepKeys MainWindow::stepKeys() const {
    return lastAnswer(m_parts, &WindowPart::stepKeys).value_or(StepKeys());
}

RunKeys MainWindow::runKeys() const {
    return lastAnswer(m_parts, &WindowPart::runKeys).value_or(RunKeys());
}

void MainWindow::refresh() {
    refreshCommands();
    QString title;
    QStringList crumbs;
    for (auto part = m_parts.rbegin(); part != m_parts.rend(); ++part) {
        if (title.isEmpty()) title = (*part)->windowTitle();
        if (crumbs.isEmpty()) crumbs = (*part)->crumbs();
    }
    setWindowTitle(title.isEmpty() ? QStringLiteral("Orrery") : tr("%1 – Orrery").arg(title));
    m_crumbs->setParts(crumbs);
    m_status->show(lastAnswer(m_parts, &WindowPart::status)
                       .value_or(StatusText{StatusKind::Idle, tr("Ready"), {}}));
}

void MainWindow::setTheme(ThemeChoice choice) {
    m_settings->setTheme(choice);
}

bool MainWindow::isSettled() const {
    return isSettledBesidesSearches() &&
           std::ranges::none_of(m_parts, [](const auto& part) { return part->isSearching(); });
}

bool MainWindow::isSettledBesidesSearches() const {
    return m_hasStarted && m_bench.worker().numOpenJobs() == 0 &&
           std::ranges::all_of(m_parts, [](const auto& part) { return part->isSettled(); });
}

void MainWindow::closeAtOnce() {
    m_asksBeforeClosing = false;
    close();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_asksBeforeClosing && !mayClose()) return event->ignore();
    for (const auto& part : m_parts) part->prepareToClose();
    live().holdWaiting(true);
    keepSession();
    if (m_options.restoresSession) endRestoring(sessionFileName());
    event->accept();
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::ThemeChange && theme() == ThemeChoice::System)
        setTheme(ThemeChoice::System);
    // Who takes the window out again wants to stay.
    if (event->type() == QEvent::WindowStateChange && !isMinimized()) m_closesWhenDone = false;
    QMainWindow::changeEvent(event);
}

}  // namespace orrery
