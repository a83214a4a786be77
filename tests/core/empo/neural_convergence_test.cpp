// Networks against exact values: with ORRERY_FULL_COUNTS=1 two rooms and three seeds each, which
// takes minutes; else one small room.

#include <ATen/Parallel.h>

#include <QTest>

#include "tests/core/empo/training.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

class NeuralConvergenceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void networksComeNearTheExactSolution_data() {
        QTest::addColumn<bool>("hasWall");
        QTest::addColumn<int>("seed");
        QTest::addColumn<int>("maxSteps");
        QTest::addColumn<int>("hiddenSize");
        QTest::addColumn<int>("trainingSteps");
        if (qEnvironmentVariableIntValue("ORRERY_FULL_COUNTS") == 0) {
            QTest::newRow("small room with a wall") << true << 0 << 3 << 32 << 2'000;
            return;
        }
        for (const bool hasWall : {false, true})
            for (int seed = 0; seed < 3; ++seed)
                QTest::addRow("%s, seed %d", hasWall ? "room with a wall" : "room", seed)
                    << hasWall << seed << 4 << 64 << 10'000;
    }
    void networksComeNearTheExactSolution() {
        QFETCH(bool, hasWall);
        QFETCH(int, seed);
        QFETCH(int, maxSteps);
        QFETCH(int, hiddenSize);
        QFETCH(int, trainingSteps);
        EmpoSpec spec = networkSpec();
        spec.seed = static_cast<std::uint64_t>(seed);
        spec.hiddenSize = hiddenSize;
        spec.dropout = 0;
        spec.weightDecay = 0;
        spec.usesZSpace = spec.usesZLoss = true;
        // Q_r of the last step is gamma times this: a network shows no ratios of 1e-10.
        spec.terminal_v_r = -1;
        spec.trainingSteps = trainingSteps;
        spec.rampSteps = trainingSteps / 4;
        for (const Quantity quantity : kQuantities) {
            spec.of(quantity).learningRate = quantity == Quantity::V_h_e ? 2e-3 : 1e-3;
            spec.of(quantity).targetCopySteps = 50;
            spec.of(quantity).warmupSteps = trainingSteps / 10;
        }
        spec.batchSize = 32;
        spec.bufferCapacity = 20'000;
        spec.goalsPerHuman = 6;
        spec.goalResampleProbability = 1;
        spec.epsilonStart_r = spec.epsilonEnd_r = 1;
        spec.epsilonStart_h = spec.epsilonEnd_h = 0;
        spec.epsilonSteps = 0;
        const auto world = hasWall ? pairRoomWithWall(maxSteps) : pairRoom(maxSteps);
        const auto exact = solveExactly(world, spec);
        Training training(spec, {world}, {exact});
        training.collect(500);
        for (std::int64_t i = 0; i < spec.trainingSteps; ++i) QVERIFY(!training.step().wasSkipped);
        const Distance distance = distanceTo(*exact, training.learner());
        qInfo("%lld states; V_h^e %.3f (at most %.2f), pi_r %.3f (%.2f)",
              static_cast<long long>(distance.states), distance.v_h_e, distance.greatest_v_h_e,
              distance.pi_r, distance.greatest_pi_r);
        QVERIFY(distance.v_h_e <= 0.05);
        QVERIFY(distance.pi_r <= 0.1);
    }
};

ORRERY_TEST(NeuralConvergenceTest)
#include "neural_convergence_test.moc"
