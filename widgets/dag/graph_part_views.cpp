// The views of the state graph.
#include <QVBoxLayout>

#include "core/solve/solution.h"
#include "widgets/dag/episode_values.h"
#include "widgets/dag/graph_part.h"
#include "widgets/dag/hit_list.h"
#include "widgets/dag/hit_model.h"
#include "widgets/dag/level_bands.h"
#include "widgets/dag/level_model.h"
#include "widgets/dag/level_table.h"
#include "widgets/dag/neighbour_model.h"
#include "widgets/dag/path_list.h"
#include "widgets/dag/path_sampler.h"
#include "widgets/dag/predicate_bar.h"
#include "widgets/dag/state_canvas.h"
#include "widgets/dag/state_view.h"
#include "widgets/part/scope_part.h"

namespace orrery {

void GraphPart::addViews() {
    addGraphViews();
    addStateViews();
}

void GraphPart::addGraphViews() {
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

void GraphPart::addStateViews() {
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

QWidget* GraphPart::makeStateGraph(ViewScope& scope, int number, QWidget* parent) {
    auto* view = new QWidget(parent);
    view->setObjectName(QStringLiteral("stateGraph"));
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* search = new PredicateBar(sessionOf(scope), view);
    auto* bands = new LevelBands(sessionOf(scope), view);
    connect(search, &PredicateBar::kinChanged, bands, &LevelBands::setKin);
    connect(search, &PredicateBar::listRequested, this, &GraphPart::showHits);
    column->addWidget(search);
    column->addWidget(bands, 1);
    view->setFocusProxy(bands->canvas());
    if (number != 1) return view;
    m_search = search;
    m_bands = bands;
    connect(search, &PredicateBar::historyChanged, this, &GraphPart::noteSearch);
    restoreViews();
    return view;
}

QWidget* GraphPart::makeStates(ViewScope& scope, int number, QWidget* parent) {
    auto* view = new StateView(sessionOf(scope), parent);
    if (number != 1) return view;
    m_states = view;
    restoreViews();
    return view;
}

QWidget* GraphPart::makePaths(ViewScope& scope, int number, QWidget* parent) {
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

}  // namespace orrery
