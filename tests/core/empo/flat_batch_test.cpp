// Batches as parallel arrays, and sums over them.

#include <ATen/ATen.h>

#include <QTest>
#include <cmath>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/empo/batch_room.h"
#include "core/empo/flat_batch.h"
#include "core/empo/learner/gathered_sums.h"
#include "tests/core/empo/training.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

/// A room's transitions, flattened.
struct Flat {
    EmpoSpec spec;
    Training training;
    GoalList goals;
    Flattener flattener;
    std::vector<ReplayBuffer::Slot> slots;
    Rng rng{3};

    explicit Flat(const EmpoSpec& theSpec, int steps = 200)
        : spec(theSpec),
          training(theSpec, {pairRoom(5)}),
          goals(training.facts()),
          flattener(training.facts(), goals, theSpec) {
        training.collect(steps);
    }

    const FlatBatch& flatten(std::size_t count, const FlatNeeds& needs) {
        training.buffer().sample(count, 0, rng, slots);
        return flattener.flatten(training.buffer(), slots, {}, needs, rng);
    }
};

constexpr FlatNeeds kAll{.forV_h_e = true, .forX_h = true, .forRobot = true};

}  // namespace

class FlatBatchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStateStandsOnceAndCurrentOnesFirst() {
        Flat flat{tabularSpec()};
        const FlatBatch& batch = flat.flatten(32, kAll);
        QCOMPARE(batch.numTransitions, 32);
        const std::set<StateStore::Index> different(batch.states.begin(), batch.states.end());
        QCOMPARE(different.size(), batch.states.size());
        QVERIFY(batch.numCurrent <= 32 && batch.numCurrent < std::ssize(batch.states));
        for (std::size_t b = 0; b < flat.slots.size(); ++b) {
            QVERIFY(batch.stateOf[b] < batch.numCurrent);
            QCOMPARE(batch.states[batch.stateOf[b]],
                     flat.training.buffer().modelOf(flat.slots[b]).state);
        }
        for (const std::int64_t successor : batch.qSuccessor)
            QVERIFY(successor < std::ssize(batch.states));
    }

    void chancesOfEveryActionSumToOne() {
        EmpoSpec spec = tabularSpec();
        spec.gamma_h = spec.gamma_r = 1;
        spec.terminal_v_r = -1;
        Flat flat{spec};
        const FlatBatch& batch = flat.flatten(32, kAll);
        std::vector<double> robot(std::size_t{32} * 4), human(robot.size());
        for (std::size_t i = 0; i < batch.qGroup.size(); ++i)
            robot[batch.qGroup[i]] += double{batch.qWeight[i]};
        for (std::size_t i = 0; i < batch.vGroup.size(); ++i)
            human[batch.vGroup[i]] += double{batch.vWeight[i]};
        int terminal = 0;
        for (std::size_t i = 0; i < robot.size(); ++i) {
            robot[i] -= double{batch.qConstant[i]};  // terminal successors, each -1
            terminal += batch.qConstant[i] != 0;
            human[i] += double{batch.attained[i]};
            QVERIFY(std::abs(robot[i] - 1) < 1e-6);
            // What ends the world without the goal is worth nothing and has no entry.
            QVERIFY(human[i] < 1 + 1e-6);
            if (batch.qConstant[i] == 0) QVERIFY(std::abs(human[i] - 1) < 1e-6);
        }
        QVERIFY(terminal > 0);
    }

    void noBatchIsLargerThanItsSizeToldBefore() {
        Flat flat{tabularSpec()};
        for (const std::size_t count : {1, 8, 64}) {
            const FlatBatch& batch = flat.flatten(count, kAll);
            const BatchSize size = sizeOf(flat.training.buffer(), flat.slots, 1);
            QVERIFY(size.states >= std::ssize(batch.states));
            QVERIFY(size.states <= std::ssize(batch.states) * static_cast<std::int64_t>(count));
            QVERIFY(size.pairs >= static_cast<std::int64_t>(batch.successorPairs.size()));
            QVERIFY(size.entries >= std::ssize(batch.qSuccessor));
            QVERIFY(size.entries >= std::ssize(batch.vPair));
        }
    }

    void aBatchThatWouldNotFitIsRefused() {
        constexpr std::int64_t kMebi = std::int64_t{1} << 20;
        const BatchSize size{.states = 1000, .pairs = 2000, .entries = 3000};
        // A table's row and 64 bytes each; with F = 256 a state has 4 (4 F + 128 x 2 x 2) bytes
        // more in rooms of 4 x 3 cells, and a pair 12 F.
        QCOMPARE(bytesOf(size, tabularSpec(), 4, 3), 3000 * 64 + 3000 * 20);
        EmpoSpec networks = networkSpec();
        networks.hiddenSize = 256;
        QCOMPARE(bytesOf(size, networks, 4, 3),
                 3000 * 64 + 3000 * 20 + 1000 * 4 * (1024 + 512) + 2000 * 12 * 256);
        requireRoom(70 * kMebi, size, 100 * kMebi);
        try {
            requireRoom(71 * kMebi, size, 100 * kMebi);
            QFAIL("it was not refused");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), Error::Kind::Resource);
            const QByteArray text = error.what();
            QVERIFY2(text.contains("71 MiB") && text.contains("100 MiB"), text.constData());
            QVERIFY2(text.contains("1000 states") && text.contains("human_model"),
                     text.constData());
        }
    }

    void goalsAreDrawnByTheirWeights() {
        Flat flat{tabularSpec()};
        std::map<std::int64_t, int> drawn;
        for (int i = 0; i < 200; ++i)
            for (const std::int64_t goal : flat.flatten(32, {}).goalColumn) ++drawn[goal];
        QCOMPARE(drawn.size(), 6U);
        // 6,400 draws of six goals: 1,067 each, standard deviation 30.
        for (const auto& [goal, count] : drawn) QVERIFY(std::abs(count - 1067) < 150);
    }

    void aFewGoalsStandForAllOnAverage() {
        EmpoSpec spec = tabularSpec();
        spec.goalsPerHuman = 2;
        Flat flat{spec};
        FlatNeeds needs = kAll;
        needs.usesEveryGoal = false;
        std::map<std::int64_t, double> weights;
        double states = 0;
        for (int i = 0; i < 200; ++i) {
            const FlatBatch& batch = flat.flatten(32, needs);
            QCOMPARE(std::ssize(batch.xPairs.state), 2 * batch.numCurrentX);
            states += static_cast<double>(batch.numCurrentX);
            for (std::size_t p = 0; p < batch.xPairs.size(); ++p)
                weights[batch.xPairs.goal[p]] += double{batch.xWeight[p]};
        }
        // Each goal's weight is 1/6; a third of the states has it, with three times the weight.
        for (const auto& [goal, weight] : weights)
            QVERIFY(std::abs(weight / states - 1.0 / 6) < 0.01);
        QCOMPARE(weights.size(), 6U);
    }

    void sumsByLoopAndByTensorsAgree() {
        const at::Tensor values = at::arange(1, 9, at::kFloat);
        const std::vector<std::int64_t> index = {7, 0, 0, 3, 2}, group = {1, 0, 1, 3, 1};
        const std::vector<float> weight = {0.5F, 2, 1, -1, 0.25F};
        // Group 0: 2 * 1; 1: 0.5 * 8 + 1 * 1 + 0.25 * 3; 2: none; 3: -1 * 4.
        const at::Tensor right = at::tensor({2.0F, 5.75F, 0.0F, -4.0F});
        QVERIFY(at::equal(gatheredSums(values, {index, weight, group}, 4), right));
        QVERIFY(at::equal(gatheredSumsOfTensors(values, {index, weight, group}, 4), right));
        const at::Tensor five = values.narrow(0, 0, 5);
        QVERIFY(at::equal(gatheredSums(five, {{}, weight, group}, 4),
                          gatheredSumsOfTensors(five, {{}, weight, group}, 4)));
    }
};

ORRERY_TEST(FlatBatchTest)
#include "flat_batch_test.moc"
