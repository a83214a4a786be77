#include "widgets/dag/plan_part.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/base/error.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run_kind.h"
#include "core/run/run_name.h"
#include "core/run/snapshot.h"
#include "core/solve/solution.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/bridge/queue_bridge.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/commands.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_title.h"
#include "widgets/dag/graph_part.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/part/command_text.h"
#include "widgets/part/live_part.h"
#include "widgets/part/perspective_ids.h"
#include "widgets/part/run_progress.h"
#include "widgets/settings/preferences.h"
#include "widgets/world/world_part.h"

namespace orrery {

namespace {

constexpr double kLongSeconds = 2;  ///< of a solve whose end is told outside the window
constexpr int kMiBShift = 20;

}  // namespace

PlanPart::PlanPart(Workbench& bench, ScopePart* scopes, WorldPart* world, LivePart* live,
                   GraphPart* graph)
    : WindowPart(bench),
      m_scopes(scopes),
      m_world(world),
      m_live(live),
      m_graph(graph),
      m_inspectorWorker(std::make_unique<BackgroundWorker>()),
      m_form(new SolvePanel(&frame())) {
    m_form->hide();
    connect(m_form, &SolvePanel::specChanged, &this->bench(), &Workbench::refresh);
    connect(m_form, &SolvePanel::solveRequested, this, &PlanPart::solve);
    connect(m_form, &SolvePanel::pauseRequested, this, [this] {
        if (m_solving) m_solving->bridge().pause();
    });
    connect(m_form, &SolvePanel::resumeRequested, this, [this] {
        if (m_solving) m_solving->bridge().resume();
    });
    connect(m_form, &SolvePanel::cancelRequested, this, [this] {
        if (m_solving) m_solving->bridge().cancel();
    });
    connect(&session(), &PlanSession::worldChanged, this, [this] { m_form->setCanSolve(true); });
    connect(m_world, &WorldPart::opened, this, [this] {
        if (m_keptRun.isEmpty()) restoreDocument();
    });
    connect(&this->live(), &LiveRuns::snapshotChanged, this, [this](const LiveRun* run) {
        if (run != m_solving) return;
        const auto before = std::exchange(m_lastSolve, run->snapshot());
        m_form->showRun(m_lastSolve.get());
        if (!before || before->state != m_lastSolve->state) this->bench().refresh();
    });
    connect(&this->live(), &LiveRuns::ended, this, &PlanPart::finish);
    connect(&this->bench(), &Workbench::liveWanted, this, [this](int number) {
        if (m_solving && m_solving->number() == number) showPerspective(kPlanPerspective);
    });
    connect(&archive(), &Archive::runsChanged, this, &PlanPart::reopenKept);
    connect(&archive(), &Archive::reopened, this,
            [this](const std::shared_ptr<const ReopenedSolve>& run) { takeReopened(*run); });
}

PlanPart::~PlanPart() = default;

void PlanPart::bindCommands() {
    commands().bind("run.solve", [this] { solve(); });
}

void PlanPart::refreshCommands() {
    const bool isOpen = session().isOpen();
    commands().setEnabled(
        "run.solve", isOpen && !isSolving(),
        isOpen ? tr("A solve is at work already") : tr("No world is open: pick one on Home"));
    // Home, Train and Compare have a button of their own for what comes next.
    const auto solution = session().solution();
    const bool isDone =
        solution && (session().showsVariant() || !m_form->asksOther(solution->spec()));
    commands().setFilled(
        "run.solve", isOpen && !isDone &&
                         (perspective() == kWorldPerspective || perspective() == kPlanPerspective));
}

void PlanPart::applyPreference(const QString& key) {
    if (key.startsWith(QLatin1String("compute/"))) takeResources();
}

void PlanPart::takeResources() {
    RunSpec spec = m_form->spec();
    SolveSpec& solve = spec.job.as<SolveJob>().solve;
    const int threads = preferences().value(QStringLiteral("compute/threads")).toInt();
    const std::int64_t budget =
        preferences().value(QStringLiteral("compute/memoryBudget")).toLongLong() << kMiBShift;
    if (solve.threads == threads && solve.memoryBudget == budget) return;
    solve.threads = threads;
    solve.memoryBudget = budget;
    m_form->setSpec(spec);
}

std::vector<LocatorSource> PlanPart::locatorSources() {
    const auto toStep = [this](const QString& typed) -> std::vector<LocatorItem> {
        bool isNumber = false;
        const int step = typed.toInt(&isNumber);
        if (!isNumber || !session().solution()) return {};
        return {
            {tr("Go to step %1").arg(step), tr("first state of the level"), {}, true, [this, step] {
                 session().showLevel(step);
             }}};
    };
    return {{QStringLiteral("c"), tr("solver fields"),
             [this](const QString&) { return fieldItems(); }, true, true},
            {QStringLiteral(":"), tr("step"), toStep, false}};
}

std::vector<LocatorItem> PlanPart::fieldItems() {
    std::vector<LocatorItem> items;
    for (const RunField& field : solveFields()) {
        const QString name = QString::fromStdString(field.name);
        if (!m_form->editor(name)) continue;
        items.push_back({name, QString::fromStdString(field.meaning), {}, true, [this, name] {
                             showForm();
                             m_form->showField(name);
                         }});
    }
    return items;
}

std::optional<StatusText> PlanPart::status() const {
    if (const auto now = m_solving ? m_solving->snapshot() : nullptr)
        return liveStatus(*now, phaseText(now->progress), progressText(now->progress));
    if (!session().isOpen()) return {};
    const auto solution = session().solution();
    if (!solution) return StatusText{StatusKind::Idle, tr("Not solved"), tr("press F5 to solve")};
    const StateGraph& graph = solution->graph();
    std::int64_t states = 0;
    for (int step = 0; step < graph.numLevels(); ++step) states += graph.levelSize(step);
    QString numbers = tr("%1 states · %2 levels · %3 configurations · graph %4")
                          .arg(countText(states))
                          .arg(graph.numLevels())
                          .arg(countText(graph.numConfigs()), bytesText(graph.storedBytes()));
    if (session().showsVariant()) return StatusText{StatusKind::Waiting, tr("Exploring"), numbers};
    const auto& seconds = archive().runSeconds();
    if (const auto known = seconds.find(session().runId().toStdString()); known != seconds.end())
        numbers += tr(" · %1 to solve").arg(durationText(known->second));
    return StatusText{StatusKind::Done, tr("Solved"), numbers};
}

std::optional<CloseQuestion> PlanPart::closeQuestion() const {
    if (live().numAtWork() > 1 || (!isSolving() && !queue().isLive())) return {};
    return CloseQuestion{.title = tr("A solve is running"),
                         .question = tr("What is to become of the solve?"),
                         .remark = tr("What a cancelled solve has explored is lost."),
                         .endText = tr("Cancel it and &quit"),
                         .canFinish = queue().isLive() || !m_solving->bridge().isPaused()};
}

RunSpec PlanPart::formSpec() const {
    RunSpec spec = m_form->spec();
    WorldRef& world = spec.job.as<SolveJob>().world;
    const bool lenient = world.lenient;  // a field of the form
    world = session().loaded().ref();
    world.lenient |= lenient;
    return spec;
}

bool PlanPart::canSolve() const {
    return session().isOpen() && m_form->isValid() && m_world->draftError().isEmpty();
}

void PlanPart::setForm(const RunSpec& spec) {
    m_form->setSpec(spec);
}

void PlanPart::showForm() {
    showView(QStringLiteral("solver"));
}

void PlanPart::solve() {
    if (!session().isOpen() || isSolving()) return;
    if (const QString why = m_world->draftError(); !why.isEmpty())
        return say(MessageKind::Error, why, tr("Show the rules"), [this] { m_world->showRules(); });
    if (!m_form->isValid())
        return say(MessageKind::Error, m_form->problem(), tr("Show the form"),
                   [this] { showForm(); });
    RunSpec spec = formSpec();
    spec.name = describeRun(session().loaded().title.toStdString(), spec);
    try {
        m_solving = &live().start(spec, m_live->newOptions());
        setSolvedNow(QString::fromStdString(session().world().contentHash()));
        noteSolve(spec);
        strip().clear();
    } catch (const Error& error) {
        say(MessageKind::Error, QString::fromUtf8(error.what()));
    }
    bench().refresh();
}

void PlanPart::solveWith(const SolveSpec& solve, bool isUnrolled) {
    RunSpec spec = m_form->spec();
    auto& job = spec.job.as<SolveJob>();
    job.solve = solve;
    job.unrolled = isUnrolled;
    m_form->setSpec(spec);
    this->solve();
}

void PlanPart::noteSolve(const RunSpec& spec) {
    const QString name = QString::fromStdString(spec.name);
    if (m_world->isModified())
        return bench().note(tr("Solve %1, whose changes are in no file").arg(name), {});
    bench().note(tr("Solve %1").arg(name), solveArguments(spec, bench().workspaceText()));
}

void PlanPart::setSolvedNow(const QString& worldHash) {
    m_solvedNow = worldHash;
    Q_EMIT solvedNowChanged(worldHash);
}

void PlanPart::finish(const LiveRun* run) {
    if (run != m_solving) return;  // of another part
    m_solving = nullptr;
    setSolvedNow({});
    m_form->showRun(nullptr);
    archive().refreshRuns();
    const auto snapshot = m_lastSolve = run->snapshot();
    const auto* job = std::get_if<SolveSnapshot>(&snapshot->job);
    auto outcome = JobList::State::Failed;
    QString text = QString::fromStdString(snapshot->trouble);
    if (snapshot->state == RunState::Finished && job != nullptr && job->solution) {
        const RunSpec typed = m_form->spec();  // while it ran
        attach(*job, QString::fromStdString(snapshot->id));
        m_form->setSpec(typed);
        outcome = JobList::State::Done;
        text = tr("done in %1 s").arg(snapshot->seconds, 0, 'f', 1);
    } else if (snapshot->state == RunState::Stopped) {
        outcome = JobList::State::Stopped;
        text = tr("The solve was cancelled; nothing was changed.");
        say(MessageKind::Info, text);
    } else {
        say(MessageKind::Error, text, tr("Show the form"), [this] { showForm(); });
    }
    m_live->end(*run, outcome, text);
    if (outcome != JobList::State::Stopped && snapshot->seconds >= kLongSeconds)
        bench().tellOutside(outcome == JobList::State::Done ? tr("Solved") : tr("The solve failed"),
                            QStringLiteral("%1: %2").arg(session().loaded().title, text));
    Q_EMIT solved();
}

std::optional<RunKeys> PlanPart::runKeys() {
    return m_solving ? std::optional(m_live->keysOf(*m_solving)) : std::nullopt;
}

/// Another world may have been opened meanwhile; the run is in the list then.
void PlanPart::attach(const SolveSnapshot& solve, const QString& id) {
    if (session().isOpen(solve.solution->world())) session().attach(solve.solution, id);
}

bool PlanPart::opensRun(const RunRecord& run) {
    archive().reopen(QString::fromStdString(run.id));  // says what is no solve
    return true;
}

bool PlanPart::continuesRun(const RunRecord& run) {
    try {
        const RunSpec spec = runSpecFromJson(run.configJson, run.id);
        const SolveJob& job = requireSolve(spec, run.id);
        setForm(spec);
        openAndSolve(job.world);
    } catch (const Error& error) {
        say(MessageKind::Error, QString::fromUtf8(error.what()));
    }
    return true;
}

void PlanPart::openAndSolve(const WorldRef& world) {
    m_world->open(world, [this] { solve(); });
    showPerspective(kPlanPerspective);
}

void PlanPart::openSpec(const RunSpec& spec) {
    m_world->open(spec.job.as<SolveJob>().world, [this, spec] {
        setForm(spec);
        showPerspective(kPlanPerspective);
    });
}

void PlanPart::takeReopened(const ReopenedSolve& run) {
    const LoadedWorld loaded = loadedOf(run.spec.job.as<SolveJob>().world, run.world);
    const bool isOpen = session().isOpen(*run.world);
    // Of the last session: the same world may have another name in its file.
    const QString kept = m_world->keptTitle();
    const bool isRenamed = !kept.isEmpty() && loaded.title == kept;
    if (!isOpen || (isRenamed && session().loaded().title != kept))
        if (!m_world->show(loaded)) return;
    setForm(run.spec);
    session().attach(run.solution, QString::fromStdString(run.record.id));
    bench().note(
        tr("Open run %1").arg(runTitle(run.record.name, run.record.id)),
        {QStringLiteral("orrery"), QStringLiteral("show"), QString::fromStdString(run.record.id)});
    if (m_world->hasKept()) {
        restoreDocument();  // of the last session, which knows where it was
    } else {
        strip().clear();
        leaveHome(kPlanPerspective);
    }
    Q_EMIT reopened();
}

}  // namespace orrery
