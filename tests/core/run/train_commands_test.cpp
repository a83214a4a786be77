#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <chrono>
#include <fstream>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "core/base/fault.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/run/command_file.h"
#include "core/run/jobs/train_job.h"
#include "core/run/run.h"
#include "core/run/steering.h"
#include "meet_run.h"
#include "reaches.h"
#include "small_training.h"
#include "tests/support/fake_learner.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"
#include "train_runs.h"

using namespace orrery;
using namespace std::chrono_literals;
using orrery::test::latencyLimit;
using orrery::test::lossOf;
using orrery::test::openIn;
using orrery::test::reaches;
using orrery::test::slowTraining;
using orrery::test::textOf;
using orrery::test::waitUntil;

namespace {

bool isAt(const RunSnapshot& snapshot, std::int64_t step) {
    return hasTrained(step)(snapshot);
}

std::vector<AppliedChange> changesOf(const RunSnapshot& snapshot) {
    return std::get<TrainSnapshot>(snapshot.job).changes;
}

}  // namespace

/// Trainings that are paused, stepped, changed and asked for checkpoints while they run.
class TrainCommandsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_learner.emplace(); }
    void cleanup() {
        setFaults("");
        m_learner.reset();
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

private:
    std::optional<FakeLearner> m_learner;
};

ORRERY_APPLICATION_TEST(TrainCommandsTest)
#include "train_commands_test.moc"
