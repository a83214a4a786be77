#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>

#include "core/base/fault.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/run/archive/compare_runs.h"
#include "core/run/archive/stored_facts.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/archive/verify_run.h"
#include "core/run/best_checkpoint.h"
#include "core/run/run.h"
#include "core/run/span_file.h"
#include "core/run/steering.h"
#include "core/run/sweep.h"
#include "meet_run.h"
#include "tests/support/corridor/corridor_kind.h"
#include "tests/support/corridor/corridor_method.h"
#include "tests/support/test_program.h"

using namespace orrery;
using test::CorridorJob;

namespace {

constexpr const char* kSlowSteps = "train.step:delay=1@1+";  // so that a live run can be met

std::unique_ptr<Workspace> guestWorkspaceIn(const QTemporaryDir& folder) {
    return Workspace::open(folder.filePath("work.orrery").toStdString(), Workspace::Mode::Create);
}

CorridorJob& corridorOf(RunSpec& spec) {
    return spec.job.as<CorridorJob>();
}

RunSpec corridor(std::int64_t steps) {
    RunSpec spec;
    spec.name = "corridor";
    spec.seed = 7;
    CorridorJob job;
    job.spec.trainingSteps = steps;
    job.spec.seed = spec.seed;
    job.cadence = {.metricInterval = 10, .checkpointSeconds = 0, .checkpointSteps = 100};
    spec.job = job;
    return spec;
}

/// Everything that a run's newest checkpoint keeps but for the time it took.
std::map<std::string, std::string> contentOf(const Workspace& workspace, const std::string& run) {
    std::map<std::string, std::string> content;
    const auto newest = newestCheckpoint(workspace.runFolder(run)).checkpoint;
    if (!newest) return content;
    for (const CheckpointFile& file : newest->manifest().files)
        if (file.name != "clock.safetensors") content[file.name] = file.sha256;
    return content;
}

std::vector<std::pair<std::int64_t, double>> curveOf(const Workspace& workspace,
                                                     const std::string& run,
                                                     const std::string& key) {
    std::vector<std::pair<std::int64_t, double>> curve;
    for (const MetricRow& row : workspace.reader().metrics(run, key))
        curve.emplace_back(row.step, row.value);
    return curve;
}

}  // namespace

/// A method that the program does not have, added by the list of kinds alone.
class GuestMethodTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        std::vector<const RunKind*> kinds = ownKinds();
        kinds.push_back(&test::corridorKind());
        useKinds(std::move(kinds));
    }
    void cleanupTestCase() { useKinds(ownKinds()); }
    void cleanup() { setFaults(""); }

    void itsSpecIsReadAndWrittenByItsTable() {
        const RunSpec spec = runSpecFromJson(
            "seed: 3\ncorridor:\n  length: 12\n  learning_rate: 0.5\n  stop_step: 50\n"
            "  changes: ['20 epsilon=0.1']\n",
            "guest.yaml");
        const CorridorJob& job = spec.job.as<CorridorJob>();
        QCOMPARE(job.spec.length, 12);
        QCOMPARE(job.spec.seed, std::uint64_t{3});
        QCOMPARE(job.stop.step.value(), std::int64_t{50});
        QCOMPARE(job.changes.at(0).key, std::string("epsilon"));
        QVERIFY(runSpecFromJson(toJson(spec), "again") == spec);
        const RunSpecReading wrong =
            readRunSpec("corridor: {length: 1, learning_rat: 2, changes: ['5 length=3']}", "w");
        QVERIFY(!wrong.spec);
        QCOMPARE(wrong.diagnostics.size(), std::size_t{3});
        RunSpec idle = corridor(5);
        corridorOf(idle).spec.epsilon = Schedule(0);
        QCOMPARE(validate(idle).at(0).field, std::string("epsilon"));
    }

    void sectionsListsTreesAndSchedulesAreFieldsToo() {
        const RunSpec spec = runSpecFromJson(
            "corridor:\n  epsilon: lin(1, 0.1)\n  starts: [0, 4]\n  noise: {size: 0.05}\n"
            "  labels: {who: [me, 2, true]}\n",
            "guest.yaml");
        const test::CorridorSpec& own = spec.job.as<CorridorJob>().spec;
        QCOMPARE(own.epsilon.at(0, 100), 1.0);
        QCOMPARE(own.starts, (std::vector<std::int64_t>{0, 4}));
        QVERIFY(own.noise && own.noise->size == 0.05);
        QCOMPARE(fieldText(own.labels), std::string("{\"who\":[\"me\",2,true]}"));
        QVERIFY(runSpecFromJson(toJson(spec), "again") == spec);
        QVERIFY(toJson(RunSpec{.job = CorridorJob()}).find("\"noise\": null") != std::string::npos);
        const RunSpecReading wrong =
            readRunSpec("corridor:\n  noise: {siz: 1}\n  starts: [9]\n  epsilon: lin(2, 0)\n", "w");
        QCOMPARE(wrong.diagnostics.size(), std::size_t{3});
        QVERIFY(wrong.diagnostics[0].message.starts_with("in 'corridor.noise': "));
        QCOMPARE(wrong.diagnostics[0].hint, std::string("did you mean 'size'?"));
        const QTemporaryDir folder;
        const auto workspace = guestWorkspaceIn(folder);
        RunSpec run = spec;
        corridorOf(run).spec.trainingSteps = 2000;
        const auto done = Run::start(run, {.workspace = workspace.get()});
        QCOMPARE(done->wait().state, RunState::Finished);
        QVERIFY(storedSpec(*workspace, done->id()) == run);
        const RunFacts facts =
            readRunFacts(workspace->folder(), workspace->reader().findRun(done->id()));
        QVERIFY(facts.find("noise.size") != nullptr);
    }

    void aTrainingLearnsAndIsKept() {
        const QTemporaryDir folder;
        const auto workspace = guestWorkspaceIn(folder);
        const RunSpec spec = corridor(30'000);
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        const RunOutcome outcome = run->wait();
        QVERIFY2(outcome.state == RunState::Finished, outcome.text.c_str());
        QVERIFY(outcome.text.starts_with("30000 training steps; error of Q "));
        const auto error = curveOf(*workspace, run->id(), "Error/q");
        QCOMPARE(error.size(), std::size_t{3000});
        QVERIFY(error.front().second > 0.9 && error.back().second < 1e-3);
        QVERIFY(storedSpec(*workspace, run->id()) == spec);
        QVERIFY(verifyRun(*workspace, run->id()).empty());
        const auto& shown = std::get<TrainSnapshot>(run->snapshot()->job);
        const auto* now = dynamic_cast<const test::CorridorSnapshot*>(shown.training.get());
        QVERIFY(now != nullptr && now->step == 30'000);
        QVERIFY(std::abs(now->values[8] - 1) < 1e-3);
        const auto spans = storedSpans(*workspace, run->id());
        QVERIFY(spans != nullptr && spans->timeline->lanes.size() == 1);
        QVERIFY(storedTimeline(*workspace, run->id()) == nullptr);  // that is of solves
        const SpanLane& lane = spans->timeline->laneAt(0);
        QCOMPARE(lane.name, std::string("learner"));
        std::int64_t steps = 0, walked = 0;
        for (const SpanBin& bin : lane.bins) {
            steps += bin.steps;
            walked += bin.ns[static_cast<std::size_t>(ownSpan(0))];
        }
        QVERIFY(steps > 0 && steps <= 30'000);
        QVERIFY(walked > 0);
        const RunFacts facts =
            readRunFacts(workspace->folder(), workspace->reader().findRun(run->id()));
        QCOMPARE(facts.worldName, std::string("Corridor"));
        QVERIFY(std::ranges::any_of(facts.results,
                                    [](const RunFact& fact) { return fact.key == "error_q"; }));
    }

    void aStoppedTrainingGoesOnBitByBit() {
        const QTemporaryDir folder;
        const auto workspace = guestWorkspaceIn(folder);
        const RunSpec spec = corridor(400);
        const auto straight = Run::start(spec, {.workspace = workspace.get()});
        QCOMPARE(straight->wait().state, RunState::Finished);
        setFaults(kSlowSteps);
        const auto met = startAndMeet(spec, {.workspace = workspace.get()}, hasTrained(1),
                                      [](Run& run) { run.cancel("test"); });
        QCOMPARE(met->wait().state, RunState::Stopped);
        setFaults("");
        const std::string id = met->id();
        QVERIFY(newestCheckpoint(workspace->runFolder(id)).checkpoint->manifest().step < 400);
        const auto resumed =
            Run::start(storedSpec(*workspace, id), {.workspace = workspace.get(), .resumedId = id});
        QCOMPARE(resumed->wait().state, RunState::Finished);
        QCOMPARE(contentOf(*workspace, id), contentOf(*workspace, straight->id()));
        QCOMPARE(curveOf(*workspace, id, "Loss/q"), curveOf(*workspace, straight->id(), "Loss/q"));
    }

    void itIsSteeredRepeatedAndForked() {
        const QTemporaryDir folder;
        const auto workspace = guestWorkspaceIn(folder);
        const RunSpec spec = corridor(400);
        setFaults(kSlowSteps);
        const auto run =
            startAndMeet(spec, {.workspace = workspace.get()}, hasTrained(1), [](Run& met) {
                met.set("learning_rate", "5e-1", "test");
                met.set("length", "20", "test");
                met.set("actor.0", "paused", "test");
            });
        QCOMPARE(run->wait().state, RunState::Finished);
        setFaults("");
        const std::string id = run->id();
        const auto events = workspace->reader().events(id);
        const auto made = steeringIn(events);
        QCOMPARE(made.size(), std::size_t{1});
        QCOMPARE(made[0].oldValue, std::string("0.1"));
        QCOMPARE(made[0].change.value, std::string("0.5"));
        QVERIFY(lastUndoable(events)->change == made[0].change);
        std::vector<std::string> refused;
        for (const EventRow& event : events)
            if (event.code == kSteerRefusedCode) refused.push_back(event.text);
        QCOMPARE(refused.size(), std::size_t{2});
        QVERIFY(refused[0].find("fork the run with length=VALUE") != std::string::npos);
        QVERIFY(refused[1].find("none of the run's 0 actors") != std::string::npos);

        const auto repeat =
            Run::start(repeatedSpec(*workspace, id), {.workspace = workspace.get()});
        QCOMPARE(repeat->wait().state, RunState::Finished);
        const auto changed = contentOf(*workspace, id), again = contentOf(*workspace, repeat->id());
        QCOMPARE(again.at("model.safetensors"), changed.at("model.safetensors"));

        RunSpec fork = storedSpecAt(*workspace, id, 400);
        QCOMPARE(corridorOf(fork).spec.learningRate, 0.5);
        corridorOf(fork).spec.trainingSteps = 500;
        corridorOf(fork).fromRun = id;
        corridorOf(fork).fromStep = 400;
        const auto forked = Run::start(fork, {.workspace = workspace.get(), .parent = id});
        QVERIFY2(forked->wait().state == RunState::Finished, forked->snapshot()->trouble.c_str());
        QCOMPARE(curveOf(*workspace, forked->id(), "Loss/q").front().first, std::int64_t{410});
    }

    void theBestCheckpointIsTheOneOfItsOwnMeasure() {
        const QTemporaryDir folder;
        const auto workspace = guestWorkspaceIn(folder);
        RunSpec spec = corridor(3000);
        corridorOf(spec).keptCheckpoints = 1;
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        QCOMPARE(run->wait().state, RunState::Finished);
        double least = 1;
        std::int64_t best = 0;
        for (const auto& [step, error] : curveOf(*workspace, run->id(), "Error/q"))
            if (step % 100 == 0 && error < least) {
                least = error;
                best = step;
            }
        const auto rows = workspace->reader().checkpoints(run->id());
        const CheckpointRow* marked = bestRow(rows);
        QVERIFY(marked != nullptr);
        QCOMPARE(marked->step, best);
    }

    void sweepsComparesAndAskedStopsWork() {
        const QTemporaryDir folder;
        const auto workspace = guestWorkspaceIn(folder);
        const std::vector<std::string> asked{"learning_rate=0.1,0.5"};
        SweepReading sweep = readSweep("corridor", asked);
        QVERIFY(sweep.problems.empty());
        RunSpec base = corridor(20'000);
        corridorOf(base).stop = {.metric = "Error/q", .atMost = 0.5};
        addSeeds(sweep.axes, base, 2);
        std::vector<std::string> ids;
        for (const RunSpec& spec : sweepRuns(base, sweep.axes)) {
            const auto run = Run::start(spec, {.workspace = workspace.get()});
            const RunOutcome outcome = run->wait();
            QVERIFY2(outcome.text.find("Error/q is 0.") != std::string::npos, outcome.text.c_str());
            ids.push_back(run->id());
        }
        QCOMPARE(ids.size(), std::size_t{4});
        const std::optional<RunComparison> compared = compareRuns(*workspace, ids[0], ids[2]);
        QVERIFY(compared && !compared->same());
        QVERIFY(std::ranges::any_of(compared->fields, [](const FieldDifference& difference) {
            return difference.field == "learning_rate" && difference.b == "0.5";
        }));
    }
};

ORRERY_TEST(GuestMethodTest)
#include "guest_method_test.moc"
