// The views of Plan, and what is asked of the state graph.
#include <QVBoxLayout>

#include "core/solve/solution.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/dag/episode_values.h"
#include "widgets/dag/hit_list.h"
#include "widgets/dag/hit_model.h"
#include "widgets/dag/inspector_panel.h"
#include "widgets/dag/level_bands.h"
#include "widgets/dag/level_model.h"
#include "widgets/dag/level_table.h"
#include "widgets/dag/neighbour_model.h"
#include "widgets/dag/path_list.h"
#include "widgets/dag/path_sampler.h"
#include "widgets/dag/plan_part.h"
#include "widgets/dag/predicate_bar.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/dag/state_canvas.h"
#include "widgets/dag/state_view.h"
#include "widgets/part/command_text.h"
#include "widgets/part/scope_part.h"
#include "widgets/world/joint_action_panel.h"
#include "widgets/world/world_part.h"

namespace orrery {

void PlanPart::addViews() {
    frame().addView(
        {.id = QStringLiteral("solver"),
         .title = tr("Solver"),
         .icon = QStringLiteral("plan"),
         .tip = tr("The parameters of the exact solve; bold ones differ from the default"),
         .place = ViewPlace::Left,
         .make =
             [this](QWidget* parent) {
                 m_form->setParent(parent);
                 return m_form;
             },
         .help = QStringLiteral("solver")});
    frame().addView({.id = QStringLiteral("inspector"),
                     .title = tr("Inspector"),
                     .icon = QStringLiteral("table"),
                     .tip = tr("Everything about the current state"),
                     .place = ViewPlace::Right,
                     .makeScope = m_scopes->ofState(),
                     .makeScoped = [this](ViewScope& scope, int,
                                          QWidget* parent) { return makeInspector(scope, parent); },
                     .help = QStringLiteral("inspector")});
    addGraphViews();
    addStateViews();
}

void PlanPart::addGraphViews() {
    frame().addView(
        {.id = QStringLiteral("stateGraph"),
         .title = tr("Level bands"),
         .icon = QStringLiteral("plan"),
         .tip = tr("Every state by level and value; ask for states by a predicate"),
         .makeScope = m_scopes->ofState(),
         .makeScoped = [this](ViewScope& scope, int number,
                              QWidget* parent) { return makeStateGraph(scope, number, parent); },
         .table = [](QWidget* view) { return view->findChild<LevelBands*>()->tableModel(); },
         .help = QStringLiteral("level_bands")});
    frame().addView(
        {.id = QStringLiteral("states"),
         .title = tr("Around the state"),
         .icon = QStringLiteral("plan"),
         .tip = tr("The states before and after the current one, and what leads to them"),
         .makeScope = m_scopes->ofState(),
         .makeScoped = [this](ViewScope& scope, int number,
                              QWidget* parent) { return makeStates(scope, number, parent); },
         .table = [](QWidget* view) { return static_cast<StateView*>(view)->tableModel(); },
         .help = QStringLiteral("state_graph")});
    frame().addView(
        {.id = QStringLiteral("paths"),
         .title = tr("Path"),
         .icon = QStringLiteral("go-next"),
         .tip = tr("The most probable path from here, or the shortest to the found states"),
         .makeScope = m_scopes->ofState(),
         .makeScoped = [this](ViewScope& scope, int number,
                              QWidget* parent) { return makePaths(scope, number, parent); },
         .help = QStringLiteral("state_graph#paths")});
}

void PlanPart::addStateViews() {
    frame().addView(
        {.id = QStringLiteral("episode"),
         .title = tr("Episode values"),
         .icon = QStringLiteral("compare"),
         .tip = tr("A value along the walk, and the steps that cost most"),
         .makeScope = m_scopes->ofState(),
         .makeScoped =
             [this](ViewScope& scope, int number, QWidget* parent) {
                 auto* view = new EpisodeValues(sessionOf(scope), parent);
                 if (number == 1) m_episode = view;
                 return view;
             },
         .table = [](QWidget* view) { return static_cast<EpisodeValues*>(view)->tableModel(); },
         .help = QStringLiteral("state_graph#episode")});
    frame().addView({.id = QStringLiteral("simulate"),
                     .title = tr("Simulation"),
                     .icon = QStringLiteral("system-run"),
                     .tip = tr("How often many sampled paths visit each state"),
                     .makeScope = m_scopes->ofState(),
                     .makeScoped =
                         [this](ViewScope& scope, int number, QWidget* parent) {
                             auto* view = new PathSampler(sessionOf(scope), parent);
                             if (number == 1) m_sampler = view;
                             return view;
                         },
                     .help = QStringLiteral("state_graph#simulate")});
    // The states that the window's own selection found: what F3 walks through.
    frame().addView(
        {.id = QStringLiteral("hits"),
         .title = tr("Found states"),
         .icon = QStringLiteral("edit-find"),
         .tip = tr("The states that a search found: pictures, steps, values; F3 walks through"),
         .make = [this](QWidget* parent) { return new HitList(m_hits, parent); },
         .isLate = true,
         .help = QStringLiteral("predicates#list")});
    frame().addView(
        {.id = QStringLiteral("levels"),
         .title = tr("Levels"),
         .icon = QStringLiteral("table"),
         .tip = tr("How many states each step has"),
         .place = ViewPlace::Left,
         .makeScope = m_scopes->ofState(),
         .makeScoped = [](ViewScope& scope, int,
                          QWidget* parent) { return new LevelTable(sessionOf(scope), parent); },
         .help = QStringLiteral("level_bands#table")});
}

std::vector<PerspectiveSpec> PlanPart::perspectives() {
    return {{.id = QStringLiteral("plan"),
             .name = tr("Plan"),
             .icon = QStringLiteral("plan"),
             .tip = tr("Solve exactly and walk the state graph"),
             .number = 3,
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
             .smallHasTimeline = false}};
}

QWidget* PlanPart::makeStateGraph(ViewScope& scope, int number, QWidget* parent) {
    auto* view = new QWidget(parent);
    view->setObjectName(QStringLiteral("stateGraph"));
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* search = new PredicateBar(sessionOf(scope), view);
    auto* bands = new LevelBands(sessionOf(scope), view);
    connect(search, &PredicateBar::kinChanged, bands, &LevelBands::setKin);
    connect(search, &PredicateBar::listRequested, this, &PlanPart::showHits);
    column->addWidget(search);
    column->addWidget(bands, 1);
    view->setFocusProxy(bands->canvas());
    if (number != 1) return view;
    m_search = search;
    m_bands = bands;
    connect(search, &PredicateBar::historyChanged, this, &PlanPart::noteSearch);
    restoreViews();
    return view;
}

QWidget* PlanPart::makeStates(ViewScope& scope, int number, QWidget* parent) {
    auto* view = new StateView(sessionOf(scope), parent);
    if (number != 1) return view;
    m_states = view;
    restoreViews();
    return view;
}

QWidget* PlanPart::makePaths(ViewScope& scope, int number, QWidget* parent) {
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

QWidget* PlanPart::makeInspector(ViewScope& scope, QWidget* parent) {
    auto* inspector = new InspectorPanel(sessionOf(scope), m_inspectorWorker.get(), parent);
    inspector->setJointActionPart(new JointActionPanel(sessionOf(scope), inspector));
    connect(inspector, &InspectorPanel::solveRequested, this, &PlanPart::solve);
    Q_EMIT inspectorMade(inspector->widget(), sessionOf(scope));
    return inspector;
}

void PlanPart::showInPlan(const QString& view) {
    leaveHome(QStringLiteral("plan"));
    showView(view);
}

void PlanPart::showHits() {
    showInPlan(QStringLiteral("hits"));
    if (auto* list = frame().view<HitList>(QStringLiteral("hits")))
        list->setFocus(Qt::ShortcutFocusReason);
}

void PlanPart::ask(const QString& predicate) {
    frame().view(QStringLiteral("stateGraph"));  // makes the search
    m_search->ask(predicate);
}

void PlanPart::findStatesHere() {
    const auto* cell = selection().current<CellItem>();
    if (!session().isOpen() || cell == nullptr)
        return say(MessageKind::Info, tr("Click a cell of the world first."));
    const auto* chosen = selection().current<AgentItem>();
    QStringList parts;
    for (int agent = 0; agent < session().world().numAgents(); ++agent)
        if (chosen == nullptr || chosen->agent == agent)
            parts << QStringLiteral("%1.at(%2,%3)")
                         .arg(QString::fromStdString(
                             session().world().agents()[static_cast<std::size_t>(agent)].name))
                         .arg(cell->x)
                         .arg(cell->y);
    ask(parts.join(QStringLiteral(" or ")));
}

void PlanPart::noteSearch() {
    if (m_search->history().isEmpty() || !session().isOpen()) return;
    const QString asked = m_search->history().first();
    bench().note(tr("Search %1").arg(asked),
                 m_world->isModified()
                     ? QStringList()
                     : findArguments(QString::fromStdString(session().loaded().name), asked));
}

}  // namespace orrery
