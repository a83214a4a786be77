#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "core/base/fault.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/history/trash.h"
#include "core/run/archive/compare_runs.h"
#include "core/run/archive/reopen.h"
#include "core/run/archive/stored_facts.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/archive/verify_run.h"
#include "core/run/jobs/train_job.h"
#include "core/run/run.h"
#include "core/run/run_queue.h"
#include "core/run/train_run.h"
#include "error_of.h"
#include "meet_run.h"
#include "reaches.h"
#include "small_training.h"
#include "tests/support/fake_learner.h"
#include "tests/support/test_program.h"
#include "train_runs.h"

using namespace orrery;
using namespace std::chrono_literals;
using orrery::test::lossOf;
using orrery::test::openIn;
using orrery::test::reaches;
using orrery::test::slowTraining;
using orrery::test::textOf;

namespace {

double learnedValue(const Workspace& workspace, const std::string& run) {
    const auto newest = newestCheckpoint(workspace.runFolder(run)).checkpoint;
    return newest ? newest->tensors("model.safetensors").number<double>("value") : -1;
}

}  // namespace

/// Trainings from their start to what they leave, and those that go on from it.
class TrainRunTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_learner.emplace(); }
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
        job.empo.wholeEncoding = false;
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        const RunOutcome outcome = run->wait();
        QVERIFY2(outcome.state == RunState::Finished, outcome.text.c_str());
        QCOMPARE(textOf(*workspace, run->id(), "train.no_effect"),
                 std::string("goals_per_human has no effect: where V_h^e is a table all goals are "
                             "taken"));
        const auto isTold = [&](const std::string& id) {
            const auto events = workspace->reader().events(id);
            return std::ranges::any_of(events, [](const EventRow& event) {
                return event.code == "world.warning" &&
                       event.text.find("do not tell the colours of balls apart") !=
                           std::string::npos;
            });
        };
        QVERIFY(isTold(run->id()));
        job.empo.wholeEncoding = true;
        const auto whole = Run::start(spec, {.workspace = workspace.get()});
        QVERIFY(whole->wait().state == RunState::Finished);
        QVERIFY(!isTold(whole->id()));
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
        m_learner.emplace(file);
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
