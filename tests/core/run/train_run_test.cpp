#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>

#include "core/base/fault.h"
#include "core/base/file_descriptor.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/history/trash.h"
#include "core/run/archive/compare_runs.h"
#include "core/run/archive/reopen.h"
#include "core/run/archive/stored_facts.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/archive/verify_run.h"
#include "core/run/command_file.h"
#include "core/run/jobs/train_job.h"
#include "core/run/run.h"
#include "core/run/run_queue.h"
#include "core/run/steering.h"
#include "core/run/train_run.h"
#include "error_of.h"
#include "meet_run.h"
#include "small_training.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace orrery;
using namespace std::chrono_literals;
using orrery::test::latencyLimit;
using orrery::test::waitUntil;

namespace {

constexpr int kSlow = 500;  // microseconds a step

std::unique_ptr<Workspace> openIn(const QTemporaryDir& folder) {
    return Workspace::open(folder.filePath("work.orrery").toStdString(), Workspace::Mode::Create);
}

RunSpec slowTraining(std::int64_t steps) {
    RunSpec spec = smallTraining(steps);
    trainingOf(spec).empo.goalsPerHuman = kSlow;
    return spec;
}

/// True once the run's snapshot fulfils the condition; false if it ends before.
bool reaches(Run& run, const std::function<bool(const RunSnapshot&)>& condition) {
    bool isFulfilled = false;
    waitUntil([&] {
        const bool ended = run.waitFor(0ms);
        const auto snapshot = run.snapshot();
        isFulfilled = snapshot && condition(*snapshot);
        return isFulfilled || ended;
    });
    return isFulfilled;
}

bool isAt(const RunSnapshot& snapshot, std::int64_t step) {
    return hasTrained(step)(snapshot);
}

std::vector<AppliedChange> changesOf(const RunSnapshot& snapshot) {
    return std::get<TrainSnapshot>(snapshot.job).changes;
}

std::vector<MetricRow> lossOf(const Workspace& workspace, const std::string& run) {
    return workspace.reader().metrics(run, "Loss/q_r");
}

std::string textOf(const Workspace& workspace, const std::string& run, std::string_view code) {
    for (const EventRow& event : workspace.reader().events(run))
        if (event.code == code) return event.text;
    return {};
}

double learnedValue(const Workspace& workspace, const std::string& run) {
    const auto newest = newestCheckpoint(workspace.runFolder(run)).checkpoint;
    return newest ? newest->tensors("model.safetensors").number<double>("value") : -1;
}

}  // namespace

class TrainRunTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_learner.emplace(ORRERY_FAKE_LEARNER); }
    void cleanup() {
        setFaults("");
        m_learner.reset();
    }

    void aTrainingLeavesCurvesCheckpointsAndAResult() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = smallTraining(50);
        trainingOf(spec).cadence.checkpointSteps = 20;
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        const RunOutcome outcome = run->wait();
        QVERIFY2(outcome.state == RunState::Finished, outcome.text.c_str());
        QCOMPARE(outcome.exitStatus, 0);
        const std::string id = run->id();
        const auto loss = lossOf(*workspace, id);
        QCOMPARE(loss.size(), std::size_t{50});
        QCOMPARE(loss[0].value, 0.99);
        QCOMPARE(loss[49].step, std::int64_t{50});

        const auto rows = workspace->reader().checkpoints(id);
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[0].step, std::int64_t{50});
        QCOMPARE(rows[2].step, std::int64_t{20});
        QCOMPARE(rows[0].file, "runs/" + id + "/step_50/MANIFEST.json");
        QCOMPARE(learnedValue(*workspace, id), loss[49].value);

        const auto& train = std::get<TrainSnapshot>(run->snapshot()->job);
        QCOMPARE(train.worlds.size(), std::size_t{1});
        QVERIFY(train.exact[0] != nullptr);
        QCOMPARE(train.checkpoints.size(), std::size_t{3});
        QVERIFY(verifyRun(*workspace, id).empty());
        QVERIFY(storedSpec(*workspace, id) == spec);
    }

    void onlyTheNewestCheckpointsAreKept() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = smallTraining(50);
        trainingOf(spec).cadence.checkpointSteps = 10;
        trainingOf(spec).keptCheckpoints = 2;
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        run->wait();
        const auto rows = workspace->reader().checkpoints(run->id());
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0].step, std::int64_t{50});
        QCOMPARE(rows[1].step, std::int64_t{40});
        QCOMPARE(checkpointSteps(workspace->runFolder(run->id())),
                 (std::vector<std::int64_t>{50, 40}));
    }

    void whatHasNoEffectIsToldAtTheStart() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = smallTraining(10);
        TrainJob& job = trainingOf(spec);
        job.empo.of(Quantity::V_h_e).kind = Approximator::Table;
        job.empo.goalsPerHuman = 3;
        job.worlds = {"balls.yaml"};
        job.worldTexts = {
            "map: |\n  We We We We We\n  We Ay Br Bg We\n  We Ae .. .. We\n  We We We We We\n"
            "max_steps: 2\npossible_goals: [[1, 1, 1, 1]]\n"};
        job.exactStates = 0;
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        const RunOutcome outcome = run->wait();
        QVERIFY2(outcome.state == RunState::Finished, outcome.text.c_str());
        QCOMPARE(textOf(*workspace, run->id(), "train.no_effect"),
                 std::string("goals_per_human has no effect: where V_h^e is a table all goals are "
                             "taken"));
        const auto events = workspace->reader().events(run->id());
        QVERIFY(std::ranges::any_of(events, [](const EventRow& event) {
            return event.code == "world.warning" &&
                   event.text.find("do not tell the colours of balls apart") != std::string::npos;
        }));
        const auto plain = Run::start(smallTraining(10), {.workspace = workspace.get()});
        plain->wait();
        QCOMPARE(textOf(*workspace, plain->id(), "train.no_effect"), std::string());
        QCOMPARE(textOf(*workspace, plain->id(), "world.warning"), std::string());
    }

    void aMissingLibraryIsToldInOneLine() {
        m_learner.emplace("/nowhere/liborrery_learn.so");
        const auto run = Run::start(smallTraining());
        const RunOutcome outcome = run->wait();
        QCOMPARE(outcome.state, RunState::Failed);
        QCOMPARE(outcome.exitStatus, 6);
        QVERIFY2(outcome.text.find("/nowhere/liborrery_learn.so") != std::string::npos &&
                     outcome.text.find('\n') == std::string::npos,
                 outcome.text.c_str());
    }

    void aLibraryOfSomethingElseIsRefused() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath("text.so").toStdString();
        std::ofstream(file) << "no library";
        m_learner.emplace(file.c_str());
        const auto run = Run::start(smallTraining());
        const RunOutcome outcome = run->wait();
        QCOMPARE(outcome.exitStatus, 6);
        QVERIFY2(outcome.text.find("does not load") != std::string::npos, outcome.text.c_str());
    }

    void aWorldWithoutARobotIsRefused() {
        RunSpec spec = smallTraining();
        trainingOf(spec).worldTexts = {
            "map: |\n  We We We We\n  We Ay .. We\n  We We We We\n"
            "max_steps: 3\npossible_goals: ['1,1']\n"};
        trainingOf(spec).empo.explorationPolicy = {0.5, 0.5};
        const RunOutcome outcome = Run::start(spec)->wait();
        QCOMPARE(outcome.exitStatus, 2);
        QVERIFY2(outcome.text.find("has no robot") != std::string::npos, outcome.text.c_str());
    }

    void severalWorldsAreLearnedAtOnce() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = smallTraining(10);
        trainingOf(spec).worlds = {"a.yaml", "b.yaml"};
        trainingOf(spec).worldTexts = {smallWorld(4), smallWorld(6)};
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        QCOMPARE(run->wait().exitStatus, 0);
        const auto& train = std::get<TrainSnapshot>(run->snapshot()->job);
        QCOMPARE(train.worlds.size(), std::size_t{2});
        QVERIFY(train.worlds[0]->contentHash() != train.worlds[1]->contentHash());
        QVERIFY(train.exact[0] && train.exact[1]);
        QVERIFY(storedSpec(*workspace, run->id()) == spec);
        QCOMPARE(readRunFacts(workspace->folder(), *workspace->reader().run(run->id())).worldName,
                 std::string("small"));
    }

    void aWorldBeyondTheLimitIsLearnedWithoutExactValues() {
        RunSpec spec = smallTraining(10);
        trainingOf(spec).exactStates = 5;
        const auto run = Run::start(spec, {.keepsEvents = true});
        QCOMPARE(run->wait().exitStatus, 0);
        QVERIFY(std::get<TrainSnapshot>(run->snapshot()->job).exact[0] == nullptr);
        bool isTold = false;
        for (const RunEvent& event : run->feed().events().drain())
            if (const auto* message = std::get_if<RunEvent::Message>(&event.body))
                isTold |= message->code == "train.not_exact" &&
                          message->text.find("more than 5 states") != std::string::npos;
        QVERIFY(isTold);
    }

    void pauseHaltsAndSingleStepsDoOneEach() {
        const auto run = Run::start(slowTraining(100'000));
        QVERIFY(reaches(*run, [](const auto& now) { return isAt(now, 5); }));
        const auto asked = std::chrono::steady_clock::now();
        run->pause("test");
        QVERIFY(reaches(*run, [](const auto& now) { return now.state == RunState::Paused; }));
        QVERIFY(std::chrono::steady_clock::now() - asked < latencyLimit(1s));
        const std::int64_t halted = run->snapshot()->progress.done;
        for (int steps = 1; steps <= 2; ++steps) {
            run->command({RunCommand::Kind::Step, "test"});
            QVERIFY(reaches(*run,
                            [&](const auto& now) { return now.progress.done == halted + steps; }));
            QCOMPARE(run->state(), RunState::Paused);
        }
        // It has stood still since: what comes behind the second step is done at that step.
        run->set("lr_q_r", "0.002", "test");
        QVERIFY(reaches(*run, [](const auto& now) { return changesOf(now).size() == 1; }));
        QCOMPARE(changesOf(*run->snapshot())[0].change.step, halted + 2);
        QCOMPARE(run->snapshot()->progress.done, halted + 2);
        run->resume("test");
        QVERIFY(reaches(*run, [&](const auto& now) { return isAt(now, halted + 10); }));
        const auto cancelled = std::chrono::steady_clock::now();
        run->cancel("test");
        QCOMPARE(run->wait().state, RunState::Stopped);
        QVERIFY(std::chrono::steady_clock::now() - cancelled < latencyLimit(1s));
    }

    void aChangeIsMadeAtAStepAndStored() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const auto run = Run::start(slowTraining(100'000), {.workspace = workspace.get()});
        QVERIFY(reaches(*run, [](const auto& now) { return isAt(now, 5); }));
        run->set("lr_q_r", "2e-3", "window");
        run->set("hidden_dim", "64", "window");
        QVERIFY(reaches(*run, [](const auto& now) { return changesOf(now).size() == 2; }));
        run->cancel();
        run->wait();
        const auto changes = changesOf(*run->snapshot());
        const bool isFirst = changes[0].problem.empty();
        const AppliedChange& applied = changes[isFirst ? 0 : 1];
        QCOMPARE(applied.change.value, std::string("0.002"));
        QCOMPARE(applied.oldValue, std::string("0.01"));
        const auto stored = steeringIn(workspace->reader().events(run->id()));
        QCOMPARE(stored.size(), std::size_t{1});
        QVERIFY(stored.front() == applied);
        QVERIFY2(textOf(*workspace, run->id(), kSteerRefusedCode).find("fork the run") !=
                     std::string::npos,
                 textOf(*workspace, run->id(), kSteerRefusedCode).c_str());
        const auto rates = workspace->reader().metrics(run->id(), "LearningRate/q_r");
        for (const MetricRow& row : rates)
            QCOMPARE(row.value, row.step <= applied.change.step ? 0.01 : 0.002);
    }

    void aPausedRunIsSteeredWhereItStands() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const auto run = Run::start(slowTraining(100'000), {.workspace = workspace.get()});
        QVERIFY(reaches(*run, [](const auto& now) { return isAt(now, 5); }));
        run->pause("test");
        QVERIFY(reaches(*run, [](const auto& now) { return now.state == RunState::Paused; }));
        const std::int64_t halted = run->snapshot()->progress.done;
        run->set("lr_q_r", "0.002", "window");
        QVERIFY(reaches(*run, [](const auto& now) { return changesOf(now).size() == 1; }));
        leaveCommand(workspace->runFolder(run->id()),
                     {RunCommand::Kind::Set, "orrery steer", "beta_r", "5"});
        QVERIFY(reaches(*run, [](const auto& now) { return changesOf(now).size() == 2; }));
        QCOMPARE(run->snapshot()->progress.done, halted);
        QCOMPARE(run->state(), RunState::Paused);
        for (const AppliedChange& applied : changesOf(*run->snapshot()))
            QCOMPARE(applied.change.step, halted);
        // The very next step feels it.
        run->command({RunCommand::Kind::Step, "test"});
        QVERIFY(reaches(*run, [&](const auto& now) { return now.progress.done == halted + 1; }));
        run->cancel();
        run->wait();
        for (const MetricRow& row : workspace->reader().metrics(run->id(), "LearningRate/q_r"))
            QCOMPARE(row.value, row.step <= halted ? 0.01 : 0.002);
    }

    void aSteeredRunIsRepeatedByItsChanges() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = slowTraining(200);
        const auto first = startAndMeet(spec, {.workspace = workspace.get()}, hasTrained(20),
                                        [](Run& run) { run.set("lr_q_r", "0.003", "window"); });
        QVERIFY2(first->wait().exitStatus == 0, "first");
        for (const AppliedChange& change : steeringIn(workspace->reader().events(first->id())))
            trainingOf(spec).changes.push_back(change.change);
        QCOMPARE(trainingOf(spec).changes.size(), std::size_t{1});
        trainingOf(spec).empo.goalsPerHuman = 5;
        const auto again = Run::start(spec, {.workspace = workspace.get()});
        QVERIFY2(again->wait().exitStatus == 0, "again");
        const auto a = lossOf(*workspace, first->id()), b = lossOf(*workspace, again->id());
        QCOMPARE(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) QCOMPARE(a[i].value, b[i].value);
        QVERIFY(!textOf(*workspace, again->id(), kSteerReplayedCode).empty());
        QVERIFY(textOf(*workspace, again->id(), kSteerCode).empty());
    }

    void anotherProcessSteersThroughTheRunsFolder() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const auto run = Run::start(slowTraining(100'000), {.workspace = workspace.get()});
        QVERIFY(reaches(*run, [](const auto& now) { return isAt(now, 1); }));
        const auto runFolder = workspace->runFolder(run->id());
        leaveCommand(runFolder, {RunCommand::Kind::Set, "process 47", "beta_r", "5"});
        std::ofstream(runFolder / "commands.jsonl", std::ios::app) << "rubbish\n";
        leaveCommand(runFolder, {RunCommand::Kind::Pause, "process 47"});
        QVERIFY(reaches(*run, [](const auto& now) { return now.state == RunState::Paused; }));
        leaveCommand(runFolder, {RunCommand::Kind::Resume, "process 47"});
        QVERIFY(reaches(*run, [](const auto& now) {
            return now.state == RunState::Running && changesOf(now).size() == 1;
        }));
        leaveCommand(runFolder, {RunCommand::Kind::Cancel, "process 47"});
        QCOMPARE(run->wait().state, RunState::Stopped);
        QVERIFY(textOf(*workspace, run->id(), kSteerCode).ends_with("(process 47)"));
        QVERIFY(!textOf(*workspace, run->id(), "command.refused").empty());
        QVERIFY(textOf(*workspace, run->id(), "command.cancel").find("process 47") !=
                std::string::npos);
    }

    void aSolveRefusesChanges() {
        setFaults("run.level:delay=300@1+");
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const auto run = Run::start(smallSolve(), {.workspace = workspace.get()});
        QVERIFY(reaches(*run, [](const auto& now) { return now.progress.phase == "solve"; }));
        run->set("beta_r", "5", "window");
        setFaults("");
        QCOMPARE(run->wait().exitStatus, 0);
        QVERIFY(textOf(*workspace, run->id(), "command.set").find("only a training") !=
                std::string::npos);
    }

    void aCheckpointIsMadeWhenAskedFor() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const auto run = Run::start(slowTraining(100'000), {.workspace = workspace.get()});
        QVERIFY(reaches(*run, [](const auto& now) { return isAt(now, 5); }));
        run->command({RunCommand::Kind::Checkpoint, "window"});
        QVERIFY(reaches(*run, [](const auto& now) {
            return !std::get<TrainSnapshot>(now.job).checkpoints.empty();
        }));
        QCOMPARE(workspace->reader().checkpoints(run->id()).size(), std::size_t{1});
        run->cancel();
        run->wait();
    }

    void aCheckpointIsToldOnceItsRowIsDurable() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        // Looks on the run's own thread at each snapshot, before the run goes on.
        std::promise<Run*> started;
        const std::shared_future<Run*> told = started.get_future().share();
        std::atomic<int> seen = 0, early = 0;
        const auto look = [&] {
            Run* const run = told.get();
            const auto snapshot = run->snapshot();
            if (snapshot->id.empty()) return;
            const auto shown = std::get<TrainSnapshot>(snapshot->job).checkpoints.size();
            seen += shown > 0 ? 1 : 0;
            early += workspace->reader().checkpoints(snapshot->id).size() < shown ? 1 : 0;
        };
        RunSpec spec = smallTraining(30);
        trainingOf(spec).cadence.checkpointSteps = 10;
        const auto run =
            Run::start(spec, {.workspace = workspace.get(), .notify = look, .snapshotPause = 0ms});
        started.set_value(run.get());
        QCOMPARE(run->wait().exitStatus, 0);
        QVERIFY(seen > 0);
        QCOMPARE(early.load(), 0);
        QCOMPARE(std::get<TrainSnapshot>(run->snapshot()->job).checkpoints.size(), std::size_t{3});
    }

    void aCheckpointWhoseRowWaitsIsToldLater() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const auto run =
            Run::start(slowTraining(100'000), {.workspace = workspace.get(), .snapshotPause = 0ms});
        QVERIFY(reaches(*run, [](const auto& now) { return isAt(now, 5); }));
        const auto shown = [&] {
            return std::get<TrainSnapshot>(run->snapshot()->job).checkpoints;
        };
        setFaults("db.commit:eio@1+");
        run->command({RunCommand::Kind::Checkpoint, "window"});
        QVERIFY(
            waitUntil([&] { return !checkpointSteps(workspace->runFolder(run->id())).empty(); }));
        const std::int64_t first = checkpointSteps(workspace->runFolder(run->id())).front();
        // It trains on, so no one waits for the row any more.
        QVERIFY(reaches(*run, [&](const auto& now) { return isAt(now, first + 1); }));
        QVERIFY(workspace->reader().checkpoints(run->id()).empty());
        QVERIFY(shown().empty());
        setFaults("");
        run->command({RunCommand::Kind::Checkpoint, "window"});
        QVERIFY(reaches(*run, [](const auto& now) {
            return std::get<TrainSnapshot>(now.job).checkpoints.size() == 2;
        }));
        QCOMPARE(shown()[0].step, first);
        QCOMPARE(workspace->reader().checkpoints(run->id()).size(), std::size_t{2});
        run->cancel();
        run->wait();
    }

    void aStoppedRunIsResumedUnderItsIdWithTheSameNumbers() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = slowTraining(400);
        trainingOf(spec).cadence.checkpointSteps = 25;
        const auto first = startAndMeet(spec, {.workspace = workspace.get()}, hasTrained(60),
                                        [](Run& run) { run.cancel("test"); });
        const RunOutcome stopped = first->wait();
        QCOMPARE(stopped.state, RunState::Stopped);
        QCOMPARE(stopped.exitStatus, 130);
        const std::string id = first->id();
        const std::int64_t saved = workspace->reader().checkpoints(id).front().step;
        QVERIFY(saved >= 60 && saved < 400);
        // As if the process had died with a newer, damaged checkpoint and points behind it.
        RunEvent late;
        late.body = event::Metric{.step = saved + 3, .key = "Loss/q_r", .value = 7};
        workspace->writer().record(id, late);
        workspace->writer().flush();
        const auto broken = workspace->runFolder(id) / ("step_" + std::to_string(saved + 5));
        std::filesystem::create_directory(broken);

        const auto second =
            Run::start(storedSpec(*workspace, id), {.workspace = workspace.get(), .resumedId = id});
        QVERIFY2(second->wait().exitStatus == 0, second->snapshot()->trouble.c_str());
        QCOMPARE(second->id(), id);
        const auto straight = Run::start(spec, {.workspace = workspace.get()});
        straight->wait();
        QCOMPARE(learnedValue(*workspace, id), learnedValue(*workspace, straight->id()));
        const auto a = lossOf(*workspace, id), b = lossOf(*workspace, straight->id());
        QCOMPARE(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            QCOMPARE(a[i].step, b[i].step);
            QCOMPARE(a[i].value, b[i].value);
        }
        const auto former = workspace->reader().metrics(id, "superseded.1/Loss/q_r");
        QCOMPARE(former.size(), std::size_t{1});
        QCOMPARE(former[0].value, 7.0);
        QVERIFY(!textOf(*workspace, id, "checkpoint.skipped").empty());
        QVERIFY(compareRuns(*workspace, id, straight->id())->same());
    }

    void aFinishedRunIsNotResumed() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const auto run = Run::start(smallTraining(5), {.workspace = workspace.get()});
        run->wait();
        const auto again =
            Run::start(smallTraining(5), {.workspace = workspace.get(), .resumedId = run->id()});
        const RunOutcome outcome = again->wait();
        QCOMPARE(outcome.state, RunState::Failed);
        QVERIFY2(outcome.text.find("has not ended early") != std::string::npos,
                 outcome.text.c_str());
        QCOMPARE(workspace->reader().run(run->id())->state, std::optional(RunState::Finished));
    }

    void aForkBeginsWithTheCheckpointOfItsParent() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = smallTraining(40);
        trainingOf(spec).cadence.checkpointSteps = 20;
        const auto parent = Run::start(spec, {.workspace = workspace.get()});
        parent->wait();
        trainingOf(spec).fromRun = parent->id();
        trainingOf(spec).fromStep = 20;
        trainingOf(spec).empo.of(Quantity::Q_r).learningRate = 0.5;
        const auto fork = Run::start(spec, {.workspace = workspace.get(), .parent = parent->id()});
        QVERIFY2(fork->wait().exitStatus == 0, fork->snapshot()->trouble.c_str());
        const auto loss = lossOf(*workspace, fork->id());
        QCOMPARE(loss.front().step, std::int64_t{21});
        QCOMPARE(loss.front().value, 0.5 * lossOf(*workspace, parent->id())[19].value);
        QCOMPARE(workspace->reader().run(fork->id())->parent, parent->id());

        trainingOf(spec).fromStep = 33;
        const RunOutcome missing = Run::start(spec, {.workspace = workspace.get()})->wait();
        QCOMPARE(missing.exitStatus, 5);
    }

    void aDivergedTrainingEndsWithStatus4() {
        RunSpec spec = smallTraining();
        spec.seed = 14;
        const auto run = Run::start(spec);
        const RunOutcome outcome = run->wait();
        QCOMPARE(outcome.state, RunState::Diverged);
        QCOMPARE(outcome.exitStatus, 4);
        QVERIFY2(outcome.text.find("Q_r became NaN") != std::string::npos, outcome.text.c_str());
    }

    void onlyAStepThatAsksHaltsTheRun() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = smallTraining(50);
        spec.seed = 16;
        const auto run = Run::start(spec, {.workspace = workspace.get(), .pausesAtTrouble = true});
        const auto isPaused = [](const RunSnapshot& now) { return now.state == RunState::Paused; };
        QVERIFY(reaches(*run, isPaused));
        QCOMPARE(std::get<TrainSnapshot>(run->snapshot()->job).trouble->step, std::int64_t{20});
        run->resume("test");
        // The second in a row is told, and the run goes on.
        QVERIFY(!reaches(*run, [&](const RunSnapshot& now) {
            return isPaused(now) && std::get<TrainSnapshot>(now.job).trouble->step == 21;
        }));
        QCOMPARE(run->wait().state, RunState::Finished);
        QCOMPARE(std::get<TrainSnapshot>(run->snapshot()->job).trouble->step, std::int64_t{21});
    }

    void whatTheLearnerThrowsFailsTheRun() {
        RunSpec spec = smallTraining();
        spec.seed = 13;
        const RunOutcome error = Run::start(spec)->wait();
        QCOMPARE(error.state, RunState::Failed);
        QCOMPARE(error.text, std::string("The fake learner fails at step 20. Ask it not to."));
        spec.seed = 15;
        const RunOutcome other = Run::start(spec)->wait();
        QCOMPARE(other.exitStatus, 1);
        QVERIFY(other.text.find("Internal error: bad luck") != std::string::npos);
    }

    void damageInACheckpointIsFound() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const auto run = Run::start(smallTraining(10), {.workspace = workspace.get()});
        run->wait();
        QVERIFY(verifyCheckpoints(*workspace, run->id()).empty());
        const auto file = workspace->runFolder(run->id()) / "step_10" / "model.safetensors";
        {
            std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
            bytes.seekp(-1, std::ios::end);
            bytes.put('\x7f');
        }
        const auto findings = verifyRun(*workspace, run->id());
        QCOMPARE(findings.size(), std::size_t{1});
        QVERIFY2(findings[0].text.find("model.safetensors") != std::string::npos,
                 findings[0].text.c_str());
    }

    void aStoredTrainingIsComparedQueuedAndTrashedLikeASolve() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const auto trained = Run::start(smallTraining(10), {.workspace = workspace.get()});
        trained->wait();
        const auto solved = Run::start(smallSolve(4), {.workspace = workspace.get()});
        solved->wait();
        const auto reader = workspace->reader();
        const std::array records{*reader.run(trained->id()), *reader.run(solved->id())};
        QCOMPARE(records[0].worldHash, records[1].worldHash);
        const std::array facts{readRunFacts(workspace->folder(), records[0]),
                               readRunFacts(workspace->folder(), records[1])};
        QCOMPARE(facts[0].job, std::string("train"));
        QCOMPARE(facts[0].find("batch_size")->number, std::optional(64.0));
        QCOMPARE(facts[0].find("steps")->number, std::optional(10.0));
        const auto rows = configRows(records, facts);
        QCOMPARE(rows[0].field, std::string("job"));
        QCOMPARE(rows[0].values, (std::vector<std::string>{"train", "solve"}));
        // Fields that only one of the jobs has are no difference between the two runs.
        std::vector<std::string> differing;
        for (const ConfigRow& row : rows)
            if (row.differs) differing.push_back(row.field);
        QCOMPARE(differing, std::vector<std::string>{"job"});

        const auto comparison = compareRuns(*workspace, trained->id(), solved->id());
        QCOMPARE(comparison->fields.size(), std::size_t{1});
        QCOMPARE(comparison->fields[0].field, std::string("job"));
        QVERIFY(comparison->whyNoValues.find("is a training") != std::string::npos);
        QVERIFY(
            errorOf([&] { reopenSolution(*workspace, trained->id()); }).contains("is a training"));

        RunSpec other = smallTraining(10);
        other.seed = 3;
        const auto queue =
            RunQueue::start({smallTraining(10), other}, {.workspace = workspace.get()});
        QVERIFY(queue->waitFor(20s));
        const auto members = queue->snapshot()->members;
        QCOMPARE(members[0].state, RunState::Finished);
        QVERIFY(compareRuns(*workspace, trained->id(), members[0].id)->same());
        const auto different = compareRuns(*workspace, trained->id(), members[1].id);
        QVERIFY(!different->same());
        QCOMPARE(different->fields[0].field, std::string("seed"));

        workspace->writer().editRuns(std::array{RunEdit{.run = trained->id(), .isTrashed = true}});
        QVERIFY(deleteRuns(*workspace, std::array{trained->id()}) > 1000);
        QVERIFY(!std::filesystem::exists(workspace->runFolder(trained->id())));
        QVERIFY(verifyWorkspace(workspace->folder()).findings.empty());
    }

private:
    std::optional<FakeLearner> m_learner;
};

ORRERY_APPLICATION_TEST(TrainRunTest)
#include "train_run_test.moc"
