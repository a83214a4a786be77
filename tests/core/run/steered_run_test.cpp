#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <cmath>
#include <functional>

#include "core/checkpoint/checkpoint_folder.h"
#include "core/run/archive/compare_runs.h"
#include "core/run/archive/stored_replay.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/jobs/exact_solution.h"
#include "core/run/jobs/train_job.h"
#include "core/run/run.h"
#include "core/run/steering.h"
#include "core/train/empo/empo_training.h"
#include "meet_run.h"
#include "small_training.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"
#include "train_runs.h"

using namespace orrery;
using namespace std::chrono_literals;
using orrery::test::openIn;

namespace {

constexpr double kBefore = 2, kAfter = 8;  // beta_r
constexpr std::int64_t kSteps = 10'000, kInterval = 500;

/// Tables of the small world, learned by the true library.
RunSpec tables(std::int64_t steps) {
    RunSpec spec = smallTraining(steps);
    EmpoSpec& empo = trainingOf(spec).empo;
    for (const Quantity quantity : kQuantities) {
        QuantitySpec& own = empo.of(quantity);
        if (empo.isUsed(quantity)) own.kind = Approximator::Table;
        own.warmupSteps = 100;
    }
    empo.adaptiveTables = true;
    empo.beta_r = kBefore;
    empo.rampSteps = 0;
    empo.batchSize = 8;
    TrainSettings& settings = spec.job.as<TrainJob>();
    settings.cadence.metricInterval = 100;
    settings.cadence.checkpointSteps = kInterval;
    settings.keptCheckpoints = 100;
    return spec;
}

/// Trains and makes beta_r another one somewhere on the way. @return the run's id
std::string steeredRun(Workspace& workspace) {
    const auto run = startAndMeet(tables(kSteps), {.workspace = &workspace}, hasTrained(kInterval),
                                  [](Run& met) { met.set("beta_r", "8", "test"); });
    const RunOutcome outcome = run->wait();
    return outcome.state == RunState::Finished ? run->id() : std::string();
}

std::string stored(Workspace& workspace, const RunSpec& spec) {
    const auto run = Run::start(spec, {.workspace = &workspace});
    return run->wait().state == RunState::Finished ? run->id() : std::string();
}

double beta_rAt(const Workspace& workspace, const std::string& run, std::int64_t step) {
    const RunSpec spec = storedSpecAt(workspace, run, step);
    return spec.job.as<TrainJob>().empo.beta_r;
}

/// Where the run was steered; -1: it was not, or more than once.
std::int64_t steeredAt(const Workspace& workspace, const std::string& run) {
    const auto changes = steeringIn(workspace.reader().events(run));
    return changes.size() == 1 ? changes[0].change.step : -1;
}

/// pi_r that a checkpoint says of all states of its buffer, by a spec.
std::vector<float> policyOf(StoredReplay replay, const RunSpec& spec) {
    replay.spec = spec;
    ValueQuestion question;
    for (const VisitedState& visited : visitedStates(*replay.shown.replay, 0)) {
        const auto bytes = replay.shown.replay->state(visited.state);
        question.states.insert(question.states.end(), bytes.begin(), bytes.end());
    }
    return valuesOfStored(replay, question).live.pi_r;
}

/// The error of pi_r at the last step against the exact solution for the given spec.
double errorAgainst(const Workspace& workspace, const std::string& run, const EmpoSpec& learned,
                    const EmpoSpec& solved) {
    const RunSpec spec = storedSpec(workspace, run);
    EvaluateRequest request{.spec = learned, .worlds = requireWorlds(worldRefs(spec.job))};
    request.exact = {exactSolutionOf(request.worlds[0], solved, 10'000, {}, {}).solution};
    request.checkpoint =
        workspace.runFolder(run) / ("step_" + std::to_string(learned.trainingSteps));
    return empoLibrary().evaluate(request, {}, {}).errors.at(0).pi_r;
}

}  // namespace

/// What a steered parameter does to checkpoints, to exact comparisons and to a repeated run, with
/// the true learners.
class SteeredRunTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("ORRERY_LEARN_LIBRARY", builtPath("lib/liborrery_learn.so").c_str());
        m_workspace = openIn(m_folder);
        m_run = steeredRun(*m_workspace);
        QVERIFY(!m_run.empty());
        m_steeredAt = steeredAt(*m_workspace, m_run);
        QVERIFY2(m_steeredAt >= kInterval && m_steeredAt < kSteps,
                 std::to_string(m_steeredAt).c_str());
    }

    void aCheckpointIsReadWithTheParametersThatItWasLearnedBy() {
        QCOMPARE(storedSpec(*m_workspace, m_run).job.as<TrainJob>().empo.beta_r, kBefore);
        QCOMPARE(beta_rAt(*m_workspace, m_run, m_steeredAt - 1), kBefore);
        QCOMPARE(beta_rAt(*m_workspace, m_run, m_steeredAt), kAfter);
        QCOMPARE(beta_rAt(*m_workspace, m_run, kSteps), kAfter);

        const StoredReplay late = openStoredReplay(*m_workspace, m_run);
        QCOMPARE(late.shown.step, kSteps);
        QVERIFY(late.spec == storedSpecAt(*m_workspace, m_run, kSteps));
        const auto steered = policyOf(late, late.spec);
        QVERIFY(steered.size() > 8);
        QVERIFY(steered != policyOf(late, storedSpec(*m_workspace, m_run)));

        const StoredReplay early = openStoredReplay(*m_workspace, m_run, std::to_string(kInterval));
        QCOMPARE(early.shown.step, kInterval);
        if (m_steeredAt > kInterval) QVERIFY(early.spec == storedSpec(*m_workspace, m_run));
    }

    void aChangeBeforeTheFirstStepIsAsGoodAsTheSpec() {
        RunSpec changed = tables(600), plain = changed;
        trainingOf(changed).changes = {{.step = 0, .key = "beta_r", .value = "8"}};
        trainingOf(plain).empo.beta_r = kAfter;
        const std::string a = stored(*m_workspace, changed), b = stored(*m_workspace, plain);
        const StoredReplay left = openStoredReplay(*m_workspace, a);
        const StoredReplay right = openStoredReplay(*m_workspace, b);
        QVERIFY(left.spec == right.spec);
        QVERIFY(policyOf(left, left.spec) == policyOf(right, right.spec));
        QVERIFY(policyOf(left, left.spec) != policyOf(left, changed));
    }

    void aChangeWhileTheWorldIsSolvedIsMadeAtTheFirstStep() {
        const auto run = startAndMeet(
            tables(600), {.workspace = m_workspace.get()},
            [](const RunSnapshot& now) { return now.progress.phase == "explore"; },
            [](Run& met) { met.set("beta_r", "8", "test"); });
        QCOMPARE(run->wait().state, RunState::Finished);
        QCOMPARE(steeredAt(*m_workspace, run->id()), 0);
        QCOMPARE(beta_rAt(*m_workspace, run->id(), 0), kAfter);
    }

    void changesOfTheListThatComeLaterStayAndActorsToo() {
        RunSpec spec = m_small;
        TrainJob& job = trainingOf(spec);
        job.changes = {{.step = 5, .key = "beta_r", .value = "3"},
                       {.step = 6, .key = "actor.0", .value = "paused"},
                       {.step = 9, .key = "beta_r", .value = "-1"},
                       {.step = 10, .key = "lr_q_r", .value = "0.5"},
                       {.step = 11, .key = "beta_r", .value = "4"}};
        applyChangesUpTo(spec, 10);
        QCOMPARE(job.empo.beta_r, 3.0);
        QCOMPARE(job.empo.of(Quantity::Q_r).learningRate, 0.5);
        QCOMPARE(job.changes.size(), std::size_t{2});
        QCOMPARE(job.changes[0].key, std::string("actor.0"));
        QCOMPARE(job.changes[1].step, std::int64_t{11});
    }

    void errorsAreMeasuredAgainstTheSolutionOfTheSteeredParameter() {
        const RunSpec spec = storedSpecAt(*m_workspace, m_run, kSteps);
        const EmpoSpec after = spec.job.as<TrainJob>().empo;
        EmpoSpec before = after;
        before.beta_r = kBefore;
        const auto curve = m_workspace->reader().metrics(m_run, "Exact/pi_r");
        QCOMPARE(curve.back().step, kSteps);
        const double right = errorAgainst(*m_workspace, m_run, after, after);
        const double wrong = errorAgainst(*m_workspace, m_run, after, before);
        QVERIFY2(std::abs(curve.back().value - right) < 1e-9,
                 std::to_string(curve.back().value).c_str());
        QVERIFY2(std::abs(wrong - right) > 1e-4, std::to_string(wrong).c_str());
        bool isTold = false;
        for (const EventRow& event : m_workspace->reader().events(m_run))
            isTold |= event.code == "train.solved_again" &&
                      event.text.find("beta_r = 8") != std::string::npos;
        QVERIFY(isTold);
    }

    void aSteeredRunIsRepeatedBitForBit() {
        const RunSpec spec = repeatedSpec(*m_workspace, m_run);
        QCOMPARE(spec.job.as<TrainJob>().changes.size(), std::size_t{1});
        const std::string again = stored(*m_workspace, spec);
        const auto comparison = compareRuns(*m_workspace, m_run, again);
        QVERIFY(comparison->learned && comparison->learned->same());
        for (const FieldDifference& differs : comparison->fields)
            qInfo("%s", differs.field.c_str());
        QVERIFY(comparison->same());
        // And once more: a repeated run is repeated by its list.
        QVERIFY(repeatedSpec(*m_workspace, again).job.as<TrainJob>().changes.size() == 1);

        const std::string plain = stored(*m_workspace, tables(kInterval));
        const auto other = compareRuns(*m_workspace, m_run, plain);
        QCOMPARE(other->fields.back().field, std::string("steering"));
        QCOMPARE(other->fields.back().a, std::to_string(m_steeredAt) + " beta_r=8");
        QCOMPARE(other->fields.back().b, std::string());
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Workspace> m_workspace;
    RunSpec m_small = smallTraining();
    std::string m_run;
    std::int64_t m_steeredAt = -1;
};

ORRERY_APPLICATION_TEST(SteeredRunTest)
#include "steered_run_test.moc"
