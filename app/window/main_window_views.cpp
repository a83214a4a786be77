#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "app/window/figure_part.h"
#include "app/window/main_window.h"
#include "app/window/plan_scope.h"
#include "core/base/error.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run_kind.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/commands.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/compare/runs_table.h"
#include "widgets/dag/inspector_panel.h"
#include "widgets/dag/level_bands.h"
#include "widgets/dag/level_model.h"
#include "widgets/dag/level_table.h"
#include "widgets/dag/neighbour_model.h"
#include "widgets/dag/path_list.h"
#include "widgets/dag/predicate_bar.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/dag/state_canvas.h"
#include "widgets/dag/state_view.h"
#include "widgets/help/help_part.h"
#include "widgets/history/runs_panel.h"
#include "widgets/home/home_view.h"
#include "widgets/world/agents_panel.h"
#include "widgets/world/edit_panel.h"
#include "widgets/world/episode_strip.h"
#include "widgets/world/joint_action_panel.h"
#include "widgets/world/world_editor.h"
#include "widgets/world/world_panel.h"
#include "widgets/world/world_view.h"

namespace orrery {

namespace {

PlanSession* sessionOf(ViewScope& scope) {
    return &static_cast<PlanScope&>(scope).session();
}

}  // namespace

void MainWindow::makeViews() {
    const auto ofState = [this](QObject* parent) { return makeScope(false, parent); };
    const auto ofRuns = [this](QObject* parent) { return makeScope(true, parent); };
    addView({.id = QStringLiteral("home"),
             .title = tr("Home"),
             .icon = QStringLiteral("go-home"),
             .tip = tr("Examples, runs to go on with, tours"),
             .make = [this](QWidget* parent) { return makeHome(parent); },
             .help = QStringLiteral("home")});
    addView({.id = QStringLiteral("world"),
             .title = tr("World"),
             .icon = QStringLiteral("world"),
             .tip = tr("The world in the current state"),
             .makeScope = ofState,
             .makeScoped = [this](ViewScope& scope, int number,
                                  QWidget* parent) { return makeWorld(scope, number, parent); },
             .table = [](QWidget* view) { return static_cast<WorldPanel*>(view)->tableModel(); },
             .help = QStringLiteral("world")});
    addView({.id = QStringLiteral("agents"),
             .title = tr("Agents and goals"),
             .icon = QStringLiteral("world"),
             .tip = tr("The agents of the world and the goals of its humans"),
             .place = ViewPlace::Left,
             .make =
                 [this](QWidget* parent) {
                     auto* panel = new AgentsPanel(&session(), parent);
                     panel->addBelow(new EditPanel(&session(), m_editor, panel));
                     const auto place = [this, panel] { panel->setPartFirst(m_editor->isOn()); };
                     connect(m_editor, &WorldEditor::modeChanged, panel, place);
                     place();
                     return panel;
                 },
             .help = QStringLiteral("world#agents")});
    addView({.id = QStringLiteral("compare"),
             .title = tr("Compare"),
             .icon = QStringLiteral("compare"),
             .tip = tr("Runs side by side: parameters, charts, values"),
             .makeScope = ofRuns,
             .makeScoped = [this](ViewScope& scope, int number,
                                  QWidget* parent) { return makeCompare(scope, number, parent); },
             .help = QStringLiteral("compare")});
    addView({.id = QStringLiteral("solver"),
             .title = tr("Solver"),
             .icon = QStringLiteral("plan"),
             .tip = tr("The parameters of the exact solve; bold ones differ from the default"),
             .place = ViewPlace::Left,
             .make =
                 [this](QWidget* parent) {
                     m_solvePanel->setParent(parent);
                     return m_solvePanel;
                 },
             .help = QStringLiteral("solver")});
    addView({.id = QStringLiteral("runs"),
             .title = tr("Runs"),
             .icon = QStringLiteral("document-open-recent"),
             .tip = tr("The runs of the workspace; a double click opens one with its values"),
             .place = ViewPlace::Left,
             .make =
                 [this](QWidget* parent) {
                     m_runs->setParent(parent);
                     return m_runs;
                 },
             .help = QStringLiteral("compare#runs")});
    addView({.id = QStringLiteral("inspector"),
             .title = tr("Inspector"),
             .icon = QStringLiteral("table"),
             .tip = tr("Everything about the current state"),
             .place = ViewPlace::Right,
             .makeScope = ofState,
             .makeScoped = [this](ViewScope& scope, int,
                                  QWidget* parent) { return makeInspector(scope, parent); },
             .help = QStringLiteral("inspector")});
    makePlanViews();
    makeExploration();
    addSolverTimeline();
    makeTrainViews();
    makeReplayViews();
    makeLearnedViews();
    addOwnViews();
    for (const auto& part : m_parts) part->addViews();
}

QWidget* MainWindow::makeWorld(ViewScope& scope, int number, QWidget* parent) {
    // One view edits; the others look and play.
    auto* panel = new WorldPanel(sessionOf(scope), number == 1 ? m_editor : nullptr, parent);
    connect(panel, &WorldPanel::solveRequested, this, &MainWindow::solve);
    panel->addBelow(new EpisodeStrip(sessionOf(scope), panel));
    commands().addPlainKeys(panel->view());
    return panel;
}

QWidget* MainWindow::makeCompare(ViewScope& scope, int number, QWidget* parent) {
    auto& ofRuns = static_cast<PlanScope&>(scope);
    auto* view = new CompareView(&archive(), &ofRuns.selection(), &ofRuns.session(), &worker(),
                                 &undoStack(), parent);
    connect(view, &CompareView::reopenRequested, this, &MainWindow::openRun);
    connect(view->table(), &RunsTable::exportRequested, this, [this](const QString& id) {
        selection().setCurrent(RunItem{id});
        commands().action(QStringLiteral("file.export"))->trigger();
    });
    m_figures->serve(view->charts()->grid());
    if (number == 1) m_compare = view;
    return view;
}

void MainWindow::makePlanViews() {
    const auto ofState = [this](QObject* parent) { return makeScope(false, parent); };
    addView(
        {.id = QStringLiteral("stateGraph"),
         .title = tr("Level bands"),
         .icon = QStringLiteral("plan"),
         .tip = tr("Every state by level and value; ask for states by a predicate"),
         .makeScope = ofState,
         .makeScoped = [this](ViewScope& scope, int number,
                              QWidget* parent) { return makeStateGraph(scope, number, parent); },
         .table = [](QWidget* view) { return view->findChild<LevelBands*>()->tableModel(); },
         .help = QStringLiteral("level_bands")});
    addView({.id = QStringLiteral("states"),
             .title = tr("Around the state"),
             .icon = QStringLiteral("plan"),
             .tip = tr("The states before and after the current one, and what leads to them"),
             .makeScope = ofState,
             .makeScoped =
                 [this](ViewScope& scope, int number, QWidget* parent) {
                     auto* view = new StateView(sessionOf(scope), parent);
                     if (number != 1) return view;
                     m_states = view;
                     restorePlanViews();
                     return view;
                 },
             .table = [](QWidget* view) { return static_cast<StateView*>(view)->tableModel(); },
             .help = QStringLiteral("state_graph")});
    addView({.id = QStringLiteral("paths"),
             .title = tr("Path"),
             .icon = QStringLiteral("go-next"),
             .tip = tr("The most probable path from here, or the shortest to the found states"),
             .makeScope = ofState,
             .makeScoped = [this](ViewScope& scope, int number,
                                  QWidget* parent) { return makePaths(scope, number, parent); },
             .help = QStringLiteral("state_graph#paths")});
    makeAnalysisViews();
    makeHits();
    addView({.id = QStringLiteral("levels"),
             .title = tr("Levels"),
             .icon = QStringLiteral("table"),
             .tip = tr("How many states each step has"),
             .place = ViewPlace::Left,
             .makeScope = ofState,
             .makeScoped = [](ViewScope& scope, int,
                              QWidget* parent) { return new LevelTable(sessionOf(scope), parent); },
             .help = QStringLiteral("level_bands#table")});
}

QWidget* MainWindow::makeStateGraph(ViewScope& scope, int number, QWidget* parent) {
    auto* view = new QWidget(parent);
    view->setObjectName(QStringLiteral("stateGraph"));
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* search = new PredicateBar(sessionOf(scope), view);
    auto* bands = new LevelBands(sessionOf(scope), view);
    connect(search, &PredicateBar::kinChanged, bands, &LevelBands::setKin);
    connect(search, &PredicateBar::listRequested, this, &MainWindow::showHits);
    column->addWidget(search);
    column->addWidget(bands, 1);
    view->setFocusProxy(bands->canvas());
    if (number != 1) return view;
    m_search = search;
    m_bands = bands;
    connect(search, &PredicateBar::historyChanged, this, &MainWindow::noteSearch);
    restorePlanViews();
    return view;
}

QWidget* MainWindow::makePaths(ViewScope& scope, int number, QWidget* parent) {
    PlanSession* shown = sessionOf(scope);
    auto* paths = new PathList(shown, parent);
    connect(paths, &PathList::wantedInGraph, this, [this, paths, shown] {
        if (!shown->solution() || !session().solution() ||
            shown->solution()->graphPointer() != session().solution()->graphPointer())
            return say(MessageKind::Info,
                       tr("This path is of another run than the state graph shows."));
        showView(QStringLiteral("states"));
        m_states->canvas()->showPath(paths->path().states);
    });
    if (number == 1) m_paths = paths;
    return paths;
}

void MainWindow::makePerspectives() {
    addPerspective({.id = QStringLiteral("home"),
                    .name = tr("Home"),
                    .icon = QStringLiteral("go-home"),
                    .tip = tr("Examples, runs to go on with, tours"),
                    .centre = R"({"tabs": ["home"], "bare": true})",
                    .hasTimeline = false});
    addPerspective({.id = QStringLiteral("world"),
                    .name = tr("World"),
                    .icon = QStringLiteral("world"),
                    .tip = tr("Play, look into and edit the world"),
                    .centre = R"({"tabs": ["world"]})",
                    .panels = {QStringLiteral("agents"), QStringLiteral("inspector")},
                    .widths = {240, 332},
                    .smallPanels = {QStringLiteral("agents")},
                    .smallWidths = {250, 280},
                    .smallHasTimeline = false});
    addPerspective({.id = QStringLiteral("plan"),
                    .name = tr("Plan"),
                    .icon = QStringLiteral("plan"),
                    .tip = tr("Solve exactly and walk the state graph"),
                    .centre = R"({"split": "vertical", "sizes": [260, 480], "parts": [
                        {"tabs": ["stateGraph"]},
                        {"split": "horizontal", "sizes": [560, 360], "parts": [
                            {"tabs": ["states"]},
                            {"tabs": ["world", "paths", "hits", "solverTimeline"]}]}]})",
                    .narrowCentre = R"({"split": "vertical", "sizes": [230, 400], "parts": [
                        {"tabs": ["stateGraph"]},
                        {"tabs": ["states", "world", "paths", "hits", "solverTimeline"]}]})",
                    .panels = {QStringLiteral("solver"), QStringLiteral("parameters"),
                               QStringLiteral("levels"), QStringLiteral("inspector")},
                    .lowPanels = {QStringLiteral("solver"), QStringLiteral("parameters"),
                                  QStringLiteral("inspector")},
                    .widths = {240, 332},
                    .heights = {300, 300, 180},
                    .smallCentre = R"({"tabs": ["stateGraph", "states", "world", "paths",
                                                "solverTimeline"]})",
                    .smallPanels = {QStringLiteral("inspector")},
                    .smallWidths = {220, 280},
                    .smallHasTimeline = false});
    addPerspective({.id = QStringLiteral("train"),
                    .name = tr("Train"),
                    .icon = QStringLiteral("train"),
                    .tip = tr("Learn from sampled steps: watch, steer and check it"),
                    .centre = R"({"tabs": ["trainCharts", "pipeline", "replay", "learned",
                        "profile", "tensors"]})",
                    .panels = {QStringLiteral("steering"), QStringLiteral("liveWorld")},
                    .widths = {236, 332},
                    .heights = {480, 200},
                    .hasTimeline = false,
                    .smallCentre = R"({"tabs": ["trainCharts", "replay", "learned", "profile",
                                                "tensors", "pipeline"]})",
                    .smallPanels = {QStringLiteral("steering")},
                    .smallWidths = {220, 280}});
    addPerspective({.id = QStringLiteral("compare"),
                    .name = tr("Compare"),
                    .icon = QStringLiteral("compare"),
                    .tip = tr("Runs side by side: parameters, charts, values"),
                    .centre = R"({"tabs": ["compare"], "bare": true})",
                    .hasTimeline = false});
}

QWidget* MainWindow::makeHome(QWidget* parent) {
    m_home = new HomeView(parent);
    connect(m_home, &HomeView::exampleChosen, this, [this](const QString& world) {
        openWorld(world);
        showPerspective(QStringLiteral("world"));
    });
    connect(m_home, &HomeView::exampleRunRequested, this, [this](const QString& world) {
        m_solvesWhenOpened = world;
        openWorld(world);
        showPerspective(QStringLiteral("plan"));
    });
    connect(m_home, &HomeView::studyRequested, this, &MainWindow::openStudy);
    connect(m_home, &HomeView::trainingRequested, this, &MainWindow::trainExample);
    connect(m_home, &HomeView::openRequested, this, &MainWindow::chooseWorldFile);
    connect(m_home, &HomeView::workspaceRequested, this, &MainWindow::chooseWorkspace);
    connect(m_home, &HomeView::runChosen, this, &MainWindow::openRun);
    connect(m_home, &HomeView::runContinued, this, &MainWindow::solveAgain);
    connect(m_home, &HomeView::tourRequested, m_help, &HelpPart::startTour);
    std::vector<TourRow> rows;
    for (const Tour& tour : m_help->tours()) rows.push_back({tour.id, tour.title, tour.minutes});
    m_home->setTours(rows);
    giveHomeItsWorkspaces();
    m_home->setExamples(m_exampleWorlds);
    if (archive().isListed())
        m_home->setRuns(archive().runs(), archive().reached(), archive().runSeconds());
    return m_home;
}

void MainWindow::solveAgain(const QString& runId) {
    const auto& runs = archive().runs();
    const auto run = std::ranges::find(runs, runId.toStdString(), &RunRecord::id);
    if (run == runs.end()) return;
    try {
        const RunSpec spec = runSpecFromJson(run->configJson, run->id);
        if (spec.job.kind().isTraining()) return resumeTraining(runId);
        const SolveJob& job = requireSolve(spec, run->id);
        m_solvePanel->setSpec(spec);
        m_solvesWhenOpened = QString::fromStdString(job.world.name);
        openWorld(job.world);
        showPerspective(QStringLiteral("plan"));
    } catch (const Error& error) {
        say(MessageKind::Error, QString::fromUtf8(error.what()));
    }
}

QWidget* MainWindow::makeInspector(ViewScope& scope, QWidget* parent) {
    auto* inspector = new InspectorPanel(sessionOf(scope), m_inspectorWorker.get(), parent);
    addExplorationMark(inspector->widget());
    inspector->setJointActionPart(new JointActionPanel(sessionOf(scope), inspector));
    connect(inspector, &InspectorPanel::solveRequested, this, &MainWindow::solve);
    addLearnedPart(inspector->widget(), sessionOf(scope));
    return inspector;
}

}  // namespace orrery
