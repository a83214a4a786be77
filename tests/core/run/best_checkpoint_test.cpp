#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>

#include "core/checkpoint/checkpoint_folder.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/archive/verify_run.h"
#include "core/run/best_checkpoint.h"
#include "core/run/jobs/train_job.h"
#include "core/run/run.h"
#include "error_of.h"
#include "meet_run.h"
#include "small_training.h"
#include "tests/support/fake_learner.h"
#include "tests/support/test_program.h"
#include "train_runs.h"

using namespace orrery;
using namespace std::chrono_literals;
using orrery::test::openIn;

namespace {

using Curves = std::map<std::string, double>;

/// A training whose learning rate is least between two steps: there is its best checkpoint.
RunSpec dipping(std::int64_t steps, std::int64_t from, std::int64_t to) {
    RunSpec spec = smallTraining(steps);
    TrainJob& job = trainingOf(spec);
    job.bestMetric = "LearningRate/q_r";
    job.keptCheckpoints = 2;
    job.changes = {{.step = from, .key = "lr_q_r", .value = "0.001"},
                   {.step = to, .key = "lr_q_r", .value = "0.05"}};
    return spec;
}

/// "50 40 20*": steps of the rows, newest first, the best marked.
std::string rowsOf(const Workspace& workspace, const std::string& run) {
    std::string text;
    for (const CheckpointRow& row : workspace.reader().checkpoints(run))
        text += (text.empty() ? "" : " ") + std::to_string(row.step) +
                (row.state == kBestCheckpoint ? "*" : "");
    return text;
}

/// As a training says whose best_metric is that.
std::optional<CheckpointMeasure> measuredBy(const Curves& curves, const std::string& metric = "",
                                            MetricGoal goal = MetricGoal::Least) {
    RunSpec spec = smallTraining();
    trainingOf(spec).bestMetric = metric;
    trainingOf(spec).goal = goal;
    return measureOf(spec, curves);
}

}  // namespace

class BestCheckpointTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_learner.emplace(); }

    void theErrorToExactDecidesWhereThereIsOne() {
        const auto good = measuredBy(
            {{"Exact/v_h_e", 0.1}, {"Exact/pi_r", 0.3}, {"Exact/x_h", 9}, {"Loss/q_r", 5}});
        const auto bad = measuredBy({{"Exact/v_h_e", 0.2}, {"Exact/pi_r", 0.3}});
        QVERIFY(good && bad);
        QCOMPARE(good->value, 0.2);
        QVERIFY(good->isBetterThan(*bad) && !bad->isBetterThan(*good));
        QVERIFY(!good->isBetterThan(*good));
        // What was measured exactly beats what was not.
        const auto loss = measuredBy({{"Loss/q_r", 1e-9}, {"Loss/v_h_e", 0}});
        QVERIFY(bad->isBetterThan(*loss) && !loss->isBetterThan(*bad));
    }

    void elseTheSumOfTheLossesAtTheSamePower() {
        const Curves warm{{"Loss/v_h_e", 0.01}, {"Warmup/effective_beta_r", 0}};
        const Curves ramp{{"Loss/v_h_e", 0.01}, {"Loss/q_r", 0.5}, {"Warmup/effective_beta_r", 2}};
        const Curves done{{"Loss/v_h_e", 0.01}, {"Loss/q_r", 0.9}, {"Warmup/effective_beta_r", 10}};
        Curves later = done;
        later["Loss/q_r"] = 0.8;
        later["Loss/q_r_all_actions"] = 100;  // the same loss under its other name
        const auto of = [](const Curves& curves) { return *measuredBy(curves); };
        QVERIFY(of(ramp).isBetterThan(of(warm)));
        QVERIFY(of(done).isBetterThan(of(ramp)));
        QVERIFY(of(later).isBetterThan(of(done)));
        QCOMPARE(of(later).value, 0.81);
    }

    void whatHasNoNumberIsNotMeasured() {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(!measuredBy({}));
        QVERIFY(!measuredBy({{"Loss/q_r", nan}, {"Rates/x", 1}}));
        QVERIFY(!measuredBy({{"Loss/q_r", 1}}, "Loss/x_h"));
        QCOMPARE(measuredBy({{"Loss/q_r", 1}, {"Mine", -3}}, "Mine")->value, -3.0);
    }

    void theOwnMetricMayBeOneOfWhichMoreIsBetter() {
        const auto of = [](double reward) {
            return *measuredBy({{"Reward", reward}}, "Reward", MetricGoal::Most);
        };
        QVERIFY(of(3).isBetterThan(of(-2)) && !of(-2).isBetterThan(of(3)));
    }

    void theBestIsKeptBesideTheNewest() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = dipping(50, 10, 20);
        trainingOf(spec).cadence.checkpointSteps = 10;
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        QCOMPARE(run->wait().state, RunState::Finished);
        QCOMPARE(rowsOf(*workspace, run->id()), std::string("50 40 20*"));
        QCOMPARE(checkpointSteps(workspace->runFolder(run->id())),
                 (std::vector<std::int64_t>{50, 40, 20}));
        QVERIFY(verifyRun(*workspace, run->id()).empty());

        const auto step = [&](const char* choice) {
            return chosenCheckpoint(*workspace, run->id(), choice).manifest().step;
        };
        QCOMPARE(step("best"), std::int64_t{20});
        QCOMPARE(step("40"), std::int64_t{40});
        QCOMPARE(step(""), std::int64_t{50});
        QVERIFY(errorOf([&] { step("worst"); }).contains("'best' or a step"));
    }

    void whereNothingWasMeasuredNoneIsBest() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = smallTraining(30);
        trainingOf(spec).bestMetric = "Evaluation/attained";
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        run->wait();
        QCOMPARE(rowsOf(*workspace, run->id()), std::string("30"));
        const QByteArray error = errorOf([&] { chosenCheckpoint(*workspace, run->id(), "best"); });
        QVERIFY2(error.contains("marked as the best"), error);
    }

    void aResumedRunKnowsItsBest() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = dipping(400, 60, 110);
        trainingOf(spec).empo.goalsPerHuman = 500;  // microseconds a step
        trainingOf(spec).cadence.checkpointSteps = 50;
        const auto run = startAndMeet(spec, {.workspace = workspace.get()}, hasTrained(171),
                                      [](Run& met) { met.cancel("test"); });
        QCOMPARE(run->wait().state, RunState::Stopped);
        const std::string id = run->id();
        QVERIFY(rowsOf(*workspace, id).ends_with(" 100*"));

        // As after a crash between the marks of two: the newer one counts.
        CheckpointRow newest = workspace->reader().checkpoints(id).front();
        newest.state = kBestCheckpoint;
        workspace->writer().addCheckpoint(id, newest);
        workspace->writer().flush();
        QCOMPARE(bestRow(workspace->reader().checkpoints(id))->step, newest.step);
        newest.state = kReadyCheckpoint;
        workspace->writer().addCheckpoint(id, newest);
        workspace->writer().flush();

        const auto resumed =
            Run::start(storedSpec(*workspace, id), {.workspace = workspace.get(), .resumedId = id});
        QCOMPARE(resumed->wait().state, RunState::Finished);
        QCOMPARE(rowsOf(*workspace, id), std::string("400 350 100*"));
        QCOMPARE(checkpointSteps(workspace->runFolder(id)),
                 (std::vector<std::int64_t>{400, 350, 100}));
    }

private:
    std::optional<FakeLearner> m_learner;
};

ORRERY_TEST(BestCheckpointTest)
#include "best_checkpoint_test.moc"
