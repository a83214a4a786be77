#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

#include "core/base/fault.h"
#include "tests/core/empo/training.h"
#include "tests/core/train/told.h"
#include "tests/support/test_program.h"

using namespace orrery;

using test::hooksInto;
using test::requestFor;
using test::Told;
using test::train;

namespace {

constexpr int kChunk = 32;  ///< transitions that an actor hands over at once, at most

EmpoSpec withActors(std::int64_t steps, int actors) {
    EmpoSpec spec = test::tables(steps);
    spec.isAsync = true;
    spec.numCollectors = actors;
    spec.minBufferSize = 100;
    return spec;
}

/// One transition at a time goes through the queue, and one is enough to begin with.
EmpoSpec oneByOne(std::int64_t steps) {
    EmpoSpec spec = withActors(steps, 1);
    spec.minBufferSize = spec.batchSize = 1;
    spec.queueCapacity = 1;
    return spec;
}

}  // namespace

class ActorsAndLearnerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { setFaults(""); }

    void neitherSideWaitsForTheOtherForEver_data() {
        QTest::addColumn<double>("ratio");
        QTest::addColumn<int>("trainingSteps");
        QTest::newRow("one for one") << 1.0 << 1;
        QTest::newRow("half") << 0.5 << 1;
        QTest::newRow("a tenth") << 0.1 << 1;
        QTest::newRow("half, two for one") << 0.5 << 2;
        QTest::newRow("a third, two for one") << 1.0 / 3 << 2;
    }
    void neitherSideWaitsForTheOtherForEver() {
        QFETCH(double, ratio);
        QFETCH(int, trainingSteps);
        EmpoSpec spec = withActors(3000, 2);
        spec.maxEnvironmentStepsPerTrainingStep = ratio;
        spec.trainingStepsPerEnvironmentStep = trainingSteps;
        const Told told = train(requestFor(spec, test::pairRoom(4)));
        QCOMPARE(told.outcome.state, RunState::Finished);
        QCOMPARE(told.outcome.steps, 3000);
        // As many as the ratio says, but for what it takes to begin and chunks on their way.
        const double wanted = ratio * 3000, slack = 2 * 2 * kChunk;
        const auto made = static_cast<double>(told.snapshot->environmentSteps);
        QVERIFY2(made >= wanted - slack, std::to_string(made).c_str());
        QVERIFY2(made <= std::max(wanted, 200.0) + slack, std::to_string(made).c_str());
    }

    void aRatioThatIsLoweredStopsNobody() {
        const EmpoSpec spec = withActors(9000, 2);
        test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        request.changes = {{.step = 300, .key = "max_env_steps_per_training_step", .value = "0.5"}};
        const Told told = train(request);
        QCOMPARE(told.outcome.steps, 9000);
        const auto made = static_cast<double>(told.snapshot->environmentSteps);
        QVERIFY2(made >= 4500 - 4 * kChunk && made <= 4500 + 4 * kChunk,
                 std::to_string(made).c_str());
    }

    void aLearnerWithoutTransitionsLooksForWishes() {
        const QTemporaryDir folder;
        test::EmpoTraining request = requestFor(oneByOne(5), test::pairRoom(4));
        request.folder = folder.path().toStdString();
        setFaults("actor.step:delay=400@1+");
        Told told;
        TrainHooks hooks = hooksInto(told);
        std::vector<TrainChange> asked;
        bool wantsCheckpoint = false;
        std::map<std::int64_t, int> looksAt;
        hooks.boundary = [&](const Progress& progress) -> std::int64_t {
            if (++looksAt[progress.done] == 1 && progress.done == 3) {
                asked = {{.key = "lr_q_r", .value = "0.01"}};
                wantsCheckpoint = true;
            }
            return 0;
        };
        hooks.takeChanges = [&] { return std::exchange(asked, {}); };
        hooks.wantsCheckpoint = [&] { return std::exchange(wantsCheckpoint, false); };
        QCOMPARE(test::trainEmpo(request, hooks, {}).steps, 5);
        // While step 3 is saved a transition may come that is enough for step 4.
        for (std::int64_t step = 1; step <= 3; ++step)
            QVERIFY2(looksAt[step] >= 2, std::to_string(looksAt[step]).c_str());
        QCOMPARE(told.changes.size(), 1U);
        QCOMPARE(told.changes[0].change.step, 3);
        QCOMPARE(told.checkpoints.size(), 2U);
        QCOMPARE(told.checkpoints[0].step, 3);
    }

    void weightsReachActorsAsOftenAsAskedFor_data() {
        QTest::addColumn<bool>("isCurious");
        QTest::addColumn<int>("syncSteps");
        QTest::addColumn<int>("laterSyncSteps");
        QTest::addColumn<int>("published");  ///< the first ones included
        QTest::newRow("100") << false << 100 << 100 << 5;
        QTest::newRow("50") << false << 50 << 50 << 9;
        QTest::newRow("50, then 100") << false << 50 << 100 << 7;
        QTest::newRow("novelty every 10") << true << 100 << 100 << 41;
        QTest::newRow("novelty, never seldomer") << true << 20 << 400 << 41;
    }
    void weightsReachActorsAsOftenAsAskedFor() {
        QFETCH(bool, isCurious);
        QFETCH(int, syncSteps);
        QFETCH(int, laterSyncSteps);
        QFETCH(int, published);
        EmpoSpec spec = withActors(400, 1);
        spec.collectorSyncSteps = syncSteps;
        for (const Quantity quantity : kQuantities) spec.of(quantity).targetCopySteps = 10;
        if (isCurious) spec.curiosity_r = Curiosity::Rnd;
        test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        request.changes = {
            {.step = 200, .key = "actor_sync_freq", .value = std::to_string(laterSyncSteps)}};
        const Told told = train(request);
        QCOMPARE(told.snapshot->published, published);
    }

    void lostTransitionsAreCounted() {
        EmpoSpec spec = oneByOne(8);
        spec.numCollectors = 2;
        spec.queueCapacity = 4;
        spec.maxEnvironmentStepsPerTrainingStep = std::nullopt;
        setFaults("train.step:delay=150@1+");
        const Told told = train(requestFor(spec, test::pairRoom(4)));
        const ReplayNumbers& numbers = told.snapshot->replay;
        QVERIFY(numbers.dropped > 0);
        QCOMPARE(numbers.consumed, told.snapshot->environmentSteps);
        // Each of the two may have a chunk of four in its hands.
        const std::int64_t inHands =
            numbers.produced - numbers.consumed - numbers.dropped - numbers.queueSize;
        QVERIFY2(std::abs(inHands) <= 8, std::to_string(inHands).c_str());
        std::int64_t dropped = 0;
        for (const CollectorNumbers& actor : told.snapshot->collectors) dropped += actor.dropped;
        QVERIFY(std::abs(numbers.dropped - dropped) <= 8);
    }
};

ORRERY_TEST(ActorsAndLearnerTest)
#include "actors_and_learner_test.moc"
