#include "widgets/explore/explore_part.h"

#include <QBoxLayout>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/run/snapshot.h"
#include "core/solve/solution.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/queue_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/dag/parameter_scale.h"
#include "widgets/dag/plan_part.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/explore/exploration.h"
#include "widgets/explore/exploration_bar.h"
#include "widgets/explore/outcome_heat.h"
#include "widgets/explore/sweep_panel.h"
#include "widgets/frame/job_list.h"
#include "widgets/part/command_text.h"
#include "widgets/part/perspective_ids.h"
#include "widgets/part/run_progress.h"

namespace orrery {

namespace {

constexpr int kListPauseMs = 500;
constexpr double kBarAfterSeconds = 0.3;  ///< short solves need none

}  // namespace

ExplorePart::ExplorePart(Workbench& bench, PlanPart* plan)
    : WindowPart(bench), m_plan(plan), m_exploration(new Exploration(&session(), &frame())) {
    connect(m_exploration, &Exploration::wantedChanged, &this->bench(), &Workbench::refresh);
    connect(m_exploration, &Exploration::workingChanged, this, &ExplorePart::followExploration);
    bindForm();
    connect(m_plan, &PlanPart::inspectorMade, this, [this](QWidget* inspector) {
        if (auto* column = qobject_cast<QBoxLayout*>(inspector->layout()))
            column->insertWidget(0, new ExplorationBar(m_exploration, true, inspector));
    });
    connect(&queue(), &QueueBridge::changed, this, &ExplorePart::followSweep);
    listEnded();
}

/// One form holds what a solve is to have and what is explored: on a solved world its parameters
/// are solved again as soon as they are meant.
void ExplorePart::bindForm() {
    SolvePanel* form = m_plan->form();
    connect(form, &SolvePanel::grabbed, m_exploration, &Exploration::warmUp);
    connect(form, &SolvePanel::settled, this, &ExplorePart::explore);
    connect(form, &SolvePanel::cancelRequested, m_exploration, [this] {
        if (!m_plan->isSolving()) m_exploration->cancel();  // else the solve is meant
    });
    // The form may say something else: of the last session, or typed while the solve ran.
    connect(m_plan, &PlanPart::reopened, this, &ExplorePart::explore);
    connect(m_plan, &PlanPart::solved, this, &ExplorePart::explore);
    connect(m_exploration, &Exploration::wantedReplaced, form,
            [this, form] { form->setExplored(m_exploration->wanted()); });
    connect(m_exploration, &Exploration::wantedChanged, this, &ExplorePart::showExploring);
    connect(m_exploration, &Exploration::shown, this, [this, form] {
        const QString time = durationText(m_exploration->lastSeconds());
        form->showExploring(
            m_exploration->lastWasPhase2()
                ? tr("Solved in %1: phase 2 alone, the humans' policies are kept.").arg(time)
                : tr("Solved in %1: both phases.").arg(time));
    });
    connect(m_exploration, &Exploration::failed, form,
            [form](const QString& text) { form->showExploring(text, true); });
    connect(m_exploration, &Exploration::progressed, this, [this, form](const Progress& progress) {
        if (m_exploreJob != 0) jobs().setProgress(m_exploreJob, jobProgress(progress));
        if (progress.seconds >= kBarAfterSeconds) form->showExploringProgress(&progress);
    });
    showExploring();
}

void ExplorePart::explore() {
    if (!m_exploration->canExplore() || m_plan->isSolving()) return;
    const SolveSpec& form = m_plan->form()->solveSpec();
    const SolveSpec& run = m_exploration->runSpec();
    SolveSpec wanted = run;
    for (const ParameterScale& scale : parameterScales())
        if ((scale.isOfPhase1 || !run.phase1Only) &&
            exploredValue(form, scale) != exploredValue(run, scale))
            takeExploredValue(wanted, scale, form);
    m_exploration->setWanted(wanted);
}

void ExplorePart::showExploring() {
    const bool can = m_exploration->canExplore();
    m_plan->form()->setExploredRun(can ? &m_exploration->runSpec() : nullptr);
    if (can && !m_exploration->isExploring())
        m_plan->form()->showExploring(
            tr("The sliders solve again at once; nothing is stored until you keep it."));
    else if (!can)
        m_plan->form()->showExploring(QString());
}

/// Reading the list for each of a thousand short runs would be all that the worker does.
void ExplorePart::listEnded() {
    auto* listing = new QTimer(this);
    listing->setSingleShot(true);
    listing->setInterval(kListPauseMs);
    connect(listing, &QTimer::timeout, &archive(), &Archive::refreshRuns);
    connect(&queue(), &QueueBridge::memberEnded, listing, [listing] {
        if (!listing->isActive()) listing->start();
    });
}

void ExplorePart::addViews() {
    auto* bar = new ExplorationBar(m_exploration, false, strip().parentWidget());
    if (auto* column = qobject_cast<QBoxLayout*>(strip().parentWidget()->layout()))
        column->insertWidget(column->indexOf(&strip()) + 1, bar);
    connect(bar, &ExplorationBar::keepRequested, this, &ExplorePart::keepAsRun);
    frame().addView({.id = QStringLiteral("sweep"),
                     .title = tr("Sweep"),
                     .icon = QStringLiteral("compare"),
                     .tip = tr("A run for every value of one or two parameters, and what came out"),
                     .make = [this](QWidget* parent) { return makeSweep(parent); },
                     .table = [this](QWidget*) { return m_sweep->tableModel(); },
                     .help = QStringLiteral("parameters#sweep")});
}

QWidget* ExplorePart::makeSweep(QWidget* parent) {
    const auto form = [this]() -> std::optional<RunSpec> {
        if (!m_plan->canSolve()) return std::nullopt;
        RunSpec spec = m_plan->formSpec();
        spec.name = session().loaded().title.toStdString();
        return spec;
    };
    m_sweep = new SweepPanel(&queue(), form, parent);
    connect(m_sweep, &SweepPanel::startRequested, this, &ExplorePart::startSweep);
    connect(m_sweep, &SweepPanel::compareRequested, this, &ExplorePart::compareRequested);
    bindHeat();
    connect(&session(), &PlanSession::worldChanged, m_sweep,
            [this] { m_sweep->setSolveSeconds(0); });
    connect(m_plan, &PlanPart::solved, m_sweep, [this] { noteSolveSeconds(); });
    noteSolveSeconds();
    return m_sweep;
}

void ExplorePart::bindHeat() {
    const OutcomeHeatTable* heat = m_sweep->outcomeHeat()->view();
    connect(heat, &OutcomeHeatTable::picked, this,
            [this](const QString& id) { selection().setCurrent(RunItem{id}); });
    connect(heat, &OutcomeHeatTable::hovered, this, [this](const QString& id) {
        selection().setHover(id.isEmpty() ? std::nullopt
                                          : std::optional<SelectionItem>(RunItem{id}));
    });
    connect(heat, &OutcomeHeatTable::opened, &bench(), &Workbench::openRun);
    connect(&selection(), &Selection::currentChanged, m_sweep, [this](SelectionKind kind) {
        if (kind != SelectionKind::Run) return;
        const auto* run = selection().current<RunItem>();
        m_sweep->outcomeHeat()->setCurrentRun(run == nullptr ? QString() : run->id);
    });
}

/// How long the open world took, for what a sweep will take.
void ExplorePart::noteSolveSeconds() {
    const auto& snapshot = m_plan->lastSolve();
    const auto* solve = snapshot ? std::get_if<SolveSnapshot>(&snapshot->job) : nullptr;
    if (solve && solve->solution && session().isOpen(solve->solution->world()))
        m_sweep->setSolveSeconds(snapshot->seconds);
}

void ExplorePart::bindCommands() {
    commands().bind("run.parameters", [this] { showParameters(); });
    commands().bind("run.keep", [this] { keepAsRun(); });
    commands().bind("run.backToRun", [this] { m_exploration->backToRun(); });
    commands().bind("run.sweep", [this] { showSweep(); });
}

void ExplorePart::showParameters() {
    showPerspective(kPlanPerspective);
    showView(QStringLiteral("solver"));
    m_plan->form()->showField(QStringLiteral("beta_h"));
}

void ExplorePart::showSweep() {
    showPerspective(kPlanPerspective);
    showView(QStringLiteral("sweep"));
    if (m_sweep) m_sweep->focusForm();
}

void ExplorePart::refreshCommands() {
    const bool isExploring = m_exploration->isExploring();
    const QString why = tr("The values shown are the run's own");
    const bool canStore = archive().writableWorkspace() != nullptr;
    commands().setEnabled("run.keep", isExploring && canStore && !m_plan->isSolving(),
                          !isExploring ? why
                          : !canStore  ? tr("The workspace is only read, so no run can be kept")
                                       : tr("A solve runs already"));
    commands().setEnabled("run.backToRun", isExploring, why);
}

bool ExplorePart::isSettled() const {
    return !m_exploration->isWorking();
}

/// A solve that takes longer shows among the jobs.
void ExplorePart::followExploration() {
    if (!m_exploration->isWorking()) {
        m_plan->form()->showExploringProgress(nullptr);
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

void ExplorePart::keepAsRun() {
    if (!m_exploration->isExploring()) return;
    if (m_plan->isSolving())
        return say(MessageKind::Warning,
                   tr("A solve runs already. Wait or cancel it, then keep these parameters."));
    if (archive().writableWorkspace() == nullptr)
        return say(MessageKind::Warning,
                   tr("The workspace is only read, so these parameters cannot be kept as a run. "
                      "Start with --workspace and a folder that can be written."));
    m_plan->solveWith(m_exploration->wanted(), !session().runSolution()->graph().isFolded() &&
                                                   !session().world().dependsOnStep());
}

void ExplorePart::startSweep(const std::vector<RunSpec>& specs, const QString& tag) {
    if (queue().isLive()) return;
    RunQueueOptions options;
    options.workspace = archive().writableWorkspace();
    options.tags = {tag.toStdString()};
    try {
        queue().start(specs, std::move(options));
        bench().note(tr("Sweep of %1 runs").arg(specs.size()),
                     sweepArguments(specs, bench().workspaceText()));
        m_sweepJob =
            jobs().add(tr("Sweep of %1 runs").arg(specs.size()), [this] { queue().cancel(); });
        archive().refreshRuns();
    } catch (const Error& error) {
        say(MessageKind::Error, QString::fromUtf8(error.what()));
    }
}

void ExplorePart::followSweep() {
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
    const QString text = tr("%1 of %2 runs finished").arg(finished).arg(total);
    jobs().finish(std::exchange(m_sweepJob, 0),
                  static_cast<std::size_t>(finished) == total ? JobList::State::Done
                                                              : JobList::State::Stopped,
                  text);
    bench().tellOutside(tr("Sweep ended"), text);
    archive().refreshRuns();
}

}  // namespace orrery
