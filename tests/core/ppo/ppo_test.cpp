#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/ppo/advantages.h"
#include "core/ppo/minibatches.h"
#include "core/ppo/spec.h"
#include "tests/support/test_program.h"

using namespace orrery;
using Floats = std::vector<float>;
using Flags = std::vector<std::uint8_t>;

namespace {

/// A rollout of one environment.
struct Line {
    Floats rewards, values;
    Flags dones;
    Floats nextValue{0};
    Flags nextDone{0};
    Floats cutValues = {};

    RolloutRewards rollout() const {
        return {.steps = std::ssize(rewards),
                .environments = 1,
                .rewards = rewards,
                .values = values,
                .dones = dones,
                .nextValue = nextValue,
                .nextDone = nextDone,
                .cutValues = cutValues};
    }
};

bool areNear(const Floats& a, const Floats& b) {
    return std::ranges::equal(a, b, [](float x, float y) { return std::abs(x - y) < 1e-6F; });
}

}  // namespace

class PpoTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// delta_1 = 2 + 0.5 * 4 - 1 = 3; delta_0 = 1 + 0.5 * 1 - 2 = -0.5; lambda 0.5.
    void advantagesAreSumsOfErrors() {
        const Line line{.rewards = {1, 2}, .values = {2, 1}, .dones = {0, 0}, .nextValue = {4}};
        const Advantages out = generalisedAdvantages(line.rollout(), 0.5, 0.5);
        QVERIFY(areNear(out.advantages, {0.25F, 3}));
        QVERIFY(areNear(out.returns, {2.25F, 4}));
        const Advantages discounted = discountedAdvantages(line.rollout(), 0.5);
        QVERIFY(areNear(discounted.returns, {3, 4}));
        QVERIFY(areNear(discounted.advantages, {1, 3}));
    }
    void nothingCrossesAnEnd() {
        // The second frame is the first of an episode.
        const Line line{.rewards = {1, 2},
                        .values = {2, 1},
                        .dones = {0, 1},
                        .nextValue = {4},
                        .nextDone = {1}};
        const Advantages out = generalisedAdvantages(line.rollout(), 0.5, 0.5);
        QVERIFY(areNear(out.advantages, {-1, 1}));
        QVERIFY(areNear(discountedAdvantages(line.rollout(), 0.5).returns, {1, 2}));
    }
    void whatIsCutOffIsWorthItsLastFrame() {
        const Line line{.rewards = {1},
                        .values = {0},
                        .dones = {0},
                        .nextValue = {9},
                        .nextDone = {1},
                        .cutValues = {2}};
        QVERIFY(areNear(generalisedAdvantages(line.rollout(), 0.5, 0.9).advantages, {2}));
        QVERIFY(areNear(discountedAdvantages(line.rollout(), 0.5).returns, {2}));
    }

    void theRateFallsToZero() {
        const OptimSpec optim{.lr = 0.5};
        const PpoSpec ppo{.entCoef = 0.2};
        const auto at = [&](std::int64_t update) {
            return ratesOf(optim, ppo, {.update = update, .updates = 4, .framesOfUpdate = 10});
        };
        QCOMPARE(at(1).lr, 0.5);
        QCOMPARE(at(4).lr, 0.125);
        QCOMPARE(at(3).entCoef, 0.1);
        QCOMPARE(at(3).clipCoef, 0.2);
    }
    void theFirstUpdateOfAWarmUpLearnsSomething() {
        OptimSpec optim{.lr = 1, .lrWarmupSteps = 20};
        const auto at = [&](std::int64_t update) {
            return ratesOf(optim, {}, {.update = update, .updates = 4, .framesOfUpdate = 10}).lr;
        };
        QCOMPARE(at(1), 0.5);
        QCOMPARE(at(2), 1.0);
        QCOMPARE(at(3), 1.0);
        QCOMPARE(at(4), 0.5);
        optim.originalWarmup = true;
        QCOMPARE(at(1), 0.0);
        QCOMPARE(at(2), 0.5);
    }
    void theClockMayEndItSooner() {
        const PpoProgress progress{
            .update = 1, .updates = 4, .framesOfUpdate = 10, .timeLeft = 0.25};
        QCOMPARE(ratesOf({.lr = 1}, {}, progress).lr, 0.25);
        QCOMPARE(ratesOf({.lr = 1, .annealLr = false}, {}, progress).lr, 1.0);
    }
    void schedulesFollowTheFrames() {
        const OptimSpec optim{.lr = *Schedule::parse("step: 1@0 lin 0@40"), .annealLr = false};
        QCOMPARE(ratesOf(optim, {}, {.update = 2, .updates = 9, .framesOfUpdate = 10}).lr, 0.75);
    }

    void everyFrameIsLearnedFromOnceAnEpoch() {
        MinibatchPlan plan(10, 4);
        QCOMPARE(plan.perEpoch(), 3);
        Rng rng(1);
        const std::vector<std::int64_t> before = plan.order();
        for (int epoch = 0; epoch < 3; ++epoch) {
            plan.shuffle(rng);
            std::vector<std::int64_t> all;
            for (std::int64_t i = 0; i < plan.perEpoch(); ++i)
                for (const std::int64_t frame : plan.minibatch(i)) all.push_back(frame);
            QVERIFY(all != before);
            std::ranges::sort(all);
            QCOMPARE(all, before);
        }
        QCOMPARE(plan.minibatch(2).size(), std::size_t{2});
    }
    void aKeptOrderGoesOn() {
        MinibatchPlan plan(100, 7), copy(100, 7);
        Rng rng(4);
        plan.shuffle(rng);
        copy.setOrder(plan.order());
        Rng same = rng;
        plan.shuffle(rng);
        copy.shuffle(same);
        QCOMPARE(plan.order(), copy.order());
    }

    void minibatchesFitIntoRollouts() {
        const RolloutSpec rollout{.steps = 2, .numEnvs = 4};
        QVERIFY(ppoProblems({.bs = 8}, {}, rollout).empty());
        QCOMPARE(ppoProblems({.bs = 9}, {}, rollout).front().field, std::string("optim.bs"));
        QCOMPARE(ppoProblems({.bs = 8, .microBs = 9}, {}, rollout).front().field,
                 std::string("optim.micro_bs"));
    }
};

ORRERY_TEST(PpoTest)
#include "ppo_test.moc"
