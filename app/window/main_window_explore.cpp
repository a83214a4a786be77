#include <QBoxLayout>
#include <QTimer>

#include "app/window/main_window.h"
#include "core/base/error.h"
#include "core/run/jobs/solve_job.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/queue_bridge.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/common/message_strip.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/explore/exploration.h"
#include "widgets/explore/exploration_bar.h"
#include "widgets/explore/outcome_heat.h"
#include "widgets/explore/parameter_panel.h"
#include "widgets/explore/sweep_panel.h"
#include "widgets/frame/job_list.h"
#include "widgets/part/command_text.h"

// Other parameters on the solved graph, and sweeps.

namespace orrery {

namespace {

constexpr int kListPauseMs = 500;

}  // namespace

void MainWindow::makeExploration() {
    m_exploration = new Exploration(&session(), this);
    auto* bar = new ExplorationBar(m_exploration, false, strip().parentWidget());
    if (auto* column = qobject_cast<QBoxLayout*>(strip().parentWidget()->layout()))
        column->insertWidget(column->indexOf(&strip()) + 1, bar);
    connect(bar, &ExplorationBar::keepRequested, this, &MainWindow::keepAsRun);
    addView({.id = QStringLiteral("parameters"),
             .title = tr("Parameters"),
             .icon = QStringLiteral("plan"),
             .tip = tr("Sliders that solve again on the graph at hand; nothing is stored"),
             .place = ViewPlace::Left,
             .make =
                 [this](QWidget* parent) {
                     auto* panel = new ParameterPanel(m_exploration, parent);
                     connect(panel, &ParameterPanel::keepRequested, this, &MainWindow::keepAsRun);
                     return panel;
                 },
             .help = QStringLiteral("parameters#sliders")});
    addView({.id = QStringLiteral("sweep"),
             .title = tr("Sweep"),
             .icon = QStringLiteral("compare"),
             .tip = tr("A run for every value of one or two parameters, and what came out"),
             .make = [this](QWidget* parent) { return makeSweep(parent); },
             .table = [this](QWidget*) { return m_sweep->tableModel(); },
             .help = QStringLiteral("parameters#sweep")});
    connect(m_exploration, &Exploration::wantedChanged, this, &MainWindow::refreshExploration);
    connect(m_exploration, &Exploration::workingChanged, this, &MainWindow::followExploration);
    connect(m_exploration, &Exploration::progressed, this, [this](const Progress& progress) {
        if (m_exploreJob != 0) jobs().setProgress(m_exploreJob, jobProgress(progress));
    });
    connect(&queue(), &QueueBridge::changed, this, &MainWindow::followSweep);
    // Reading the list for each of a thousand short runs would be all that the worker does.
    auto* listing = new QTimer(this);
    listing->setSingleShot(true);
    listing->setInterval(kListPauseMs);
    connect(listing, &QTimer::timeout, &archive(), &Archive::refreshRuns);
    connect(&queue(), &QueueBridge::memberEnded, listing, [listing] {
        if (!listing->isActive()) listing->start();
    });
}

void MainWindow::addExplorationMark(QWidget* inspector) {
    auto* column = qobject_cast<QBoxLayout*>(inspector->layout());
    if (column) column->insertWidget(0, new ExplorationBar(m_exploration, true, inspector));
}

QWidget* MainWindow::makeSweep(QWidget* parent) {
    m_sweep = new SweepPanel(
        &queue(),
        [this]() -> std::optional<RunSpec> {
            if (!session().isOpen() || !m_solvePanel->isValid() || !draftError().isEmpty())
                return std::nullopt;
            RunSpec spec = formSpec();
            spec.name = session().loaded().title.toStdString();
            return spec;
        },
        parent);
    connect(m_sweep, &SweepPanel::startRequested, this, &MainWindow::startSweep);
    connect(m_sweep, &SweepPanel::compareRequested, this, &MainWindow::compareRuns);
    const OutcomeHeatTable* heat = m_sweep->outcomeHeat()->view();
    connect(heat, &OutcomeHeatTable::picked, this,
            [this](const QString& id) { selection().setCurrent(RunItem{id}); });
    connect(heat, &OutcomeHeatTable::hovered, this, [this](const QString& id) {
        selection().setHover(id.isEmpty() ? std::nullopt
                                          : std::optional<SelectionItem>(RunItem{id}));
    });
    connect(heat, &OutcomeHeatTable::opened, this, &MainWindow::openRun);
    connect(&selection(), &Selection::currentChanged, m_sweep, [this](SelectionKind kind) {
        if (kind != SelectionKind::Run) return;
        const auto* run = selection().current<RunItem>();
        m_sweep->outcomeHeat()->setCurrentRun(run == nullptr ? QString() : run->id);
    });
    connect(&session(), &PlanSession::worldChanged, m_sweep,
            [this] { m_sweep->setSolveSeconds(0); });
    const auto noteSeconds = [this] {
        const auto snapshot = runBridge().snapshot();
        const auto* solve = snapshot ? std::get_if<SolveSnapshot>(&snapshot->job) : nullptr;
        if (solve && solve->solution && session().isOpen() &&
            solve->solution->world().contentHash() == session().world().contentHash())
            m_sweep->setSolveSeconds(snapshot->seconds);
    };
    connect(&runBridge(), &RunBridge::ended, m_sweep, noteSeconds);
    noteSeconds();
    return m_sweep;
}

void MainWindow::bindExploration() {
    commands().bind("run.parameters", [this] {
        showPerspective(QStringLiteral("plan"));
        showView(QStringLiteral("parameters"));
        if (auto* panel = view<ParameterPanel>(QStringLiteral("parameters")))
            panel->setFocus(Qt::ShortcutFocusReason);
    });
    commands().bind("run.keep", [this] { keepAsRun(); });
    commands().bind("run.backToRun", [this] { m_exploration->backToRun(); });
    commands().bind("run.sweep", [this] {
        showPerspective(QStringLiteral("plan"));
        showView(QStringLiteral("sweep"));
        if (m_sweep) m_sweep->focusForm();
    });
    refreshExploration();
}

void MainWindow::refreshExploration() {
    const bool isExploring = m_exploration->isExploring();
    const QString why = tr("The values shown are the run's own");
    const bool canStore = archive().writableWorkspace() != nullptr;
    commands().setEnabled("run.keep", isExploring && canStore && !runBridge().isLive(),
                          !isExploring ? why
                          : !canStore  ? tr("The workspace is only read, so no run can be kept")
                                       : tr("A solve runs already"));
    commands().setEnabled("run.backToRun", isExploring, why);
    if (m_statusDot != nullptr) refreshStatus();  // the status bar is made after the commands
}

/// A solve that takes longer shows among the jobs.
void MainWindow::followExploration() {
    if (!m_exploration->isWorking()) {
        if (m_exploreJob != 0)
            jobs().finish(std::exchange(m_exploreJob, 0), JobList::State::Done, {});
        return;
    }
    QTimer::singleShot(JobList::kShownAfterMs, m_exploration, [this] {
        if (m_exploration->isWorking() && m_exploreJob == 0 && m_exploration->isExploring())
            m_exploreJob =
                jobs().add(tr("Explore parameters"), [this] { m_exploration->cancel(); });
    });
}

RunSpec MainWindow::formSpec() const {
    RunSpec spec = m_solvePanel->spec();
    WorldRef& world = spec.job.as<SolveJob>().world;
    const bool lenient = world.lenient;  // a field of the form
    world = session().loaded().ref();
    world.lenient |= lenient;
    return spec;
}

void MainWindow::keepAsRun() {
    if (!m_exploration->isExploring()) return;
    if (runBridge().isLive())
        return say(MessageKind::Warning,
                   tr("A solve runs already. Wait or cancel it, then keep these parameters."));
    if (archive().writableWorkspace() == nullptr)
        return say(MessageKind::Warning,
                   tr("The workspace is only read, so these parameters cannot be kept as a run. "
                      "Start with --workspace and a folder that can be written."));
    RunSpec spec = m_solvePanel->spec();
    auto& job = spec.job.as<SolveJob>();
    job.solve = m_exploration->wanted();
    job.unrolled =
        !session().runSolution()->graph().isFolded() && !session().world().dependsOnStep();
    m_solvePanel->setSpec(spec);
    solve();
}

void MainWindow::startSweep(const std::vector<RunSpec>& specs, const QString& tag) {
    if (queue().isLive()) return;
    RunQueueOptions options;
    options.workspace = archive().writableWorkspace();
    options.tags = {tag.toStdString()};
    try {
        queue().start(specs, std::move(options));
        m_bench.note(tr("Sweep of %1 runs").arg(specs.size()),
                     sweepArguments(specs, m_bench.workspaceText()));
        m_sweepJob =
            jobs().add(tr("Sweep of %1 runs").arg(specs.size()), [this] { queue().cancel(); });
        archive().refreshRuns();
    } catch (const Error& error) {
        say(MessageKind::Error, QString::fromUtf8(error.what()));
    }
}

void MainWindow::followSweep() {
    const auto& snapshot = queue().snapshot();
    if (!snapshot || m_sweepJob == 0) return;
    const int ended = snapshot->numEnded();
    const auto total = snapshot->members.size();
    if (!snapshot->hasEnded) {
        JobProgress progress;
        progress.phase = tr("%1 of %2 runs").arg(ended).arg(total);
        progress.done = ended;
        progress.total = static_cast<double>(total);
        return jobs().setProgress(m_sweepJob, progress, snapshot->isPaused);
    }
    const auto finished =
        std::ranges::count(snapshot->members, RunState::Finished, &QueueMember::state);
    jobs().finish(std::exchange(m_sweepJob, 0),
                  static_cast<std::size_t>(finished) == total ? JobList::State::Done
                                                              : JobList::State::Stopped,
                  tr("%1 of %2 runs finished").arg(finished).arg(total));
    m_bench.tellOutside(tr("Sweep ended"), tr("%1 of %2 runs finished").arg(finished).arg(total));
    archive().refreshRuns();
    closeIfDone();
}

/// Shows the runs beside each other, even where the tab was closed.
void MainWindow::showCompare() {
    showPerspective(QStringLiteral("compare"));
    showView(QStringLiteral("compare"));
}

/// Shows runs side by side, once the list of runs has them.
void MainWindow::compareRuns(const QStringList& runIds) {
    std::vector<SelectionItem> items;
    for (const QString& id : runIds) items.emplace_back(RunItem{id});
    showCompare();
    selection().setSet(SelectionKind::Run, std::move(items));
    archive().refreshRuns();
}

bool MainWindow::isExplorationSettled() const {
    return !m_exploration->isWorking() && !queue().isLive();
}

}  // namespace orrery
