#include <QTest>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/collect/collector.h"
#include "tests/core/collect/collect_worlds.h"
#include "tests/core/collect/made_collector.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

/// Newness that one successor has alone: the one with the given place in its batch.
class OneIsNew final : public NoveltyOfStates {
public:
    void novelty(std::span<const std::byte> states, int, std::span<float> out) override {
        ++calls;
        bytes += states.size();
        std::ranges::fill(out, -5.0F);
        for (std::size_t i = 0; i < out.size(); ++i)
            if (fingerprintOf(states.subspan(i * states.size() / out.size(),
                                             states.size() / out.size())) == wanted)
                out[i] = 2.0F;
    }
    Fingerprint wanted;
    int calls = 0;
    std::size_t bytes = 0;
};

}  // namespace

/// Where curiosity leads the agents of a collector.
class CollectorCuriosityTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void curiosityLeadsToWhatIsNew() {
        const auto world = smallRoom();
        auto newness = std::make_shared<OneIsNew>();
        CollectorSpec spec{
            .seed = 2, .stepsPerEpisode = 1, .curiosity_r = {.kind = CuriositySpec::Kind::Given}};
        Collector collector(spec, collectorWorlds({world}), std::make_shared<MadeValues>(),
                            newness);
        // The successor of everybody keeping still is new by 2; all else counts as 0. The robot
        // faces a wall, so that its forward leads there too.
        const auto model = collector.modeller(0).model(world->initialConfiguration(), 0);
        newness->wanted = fingerprintOf(model->successorBytes(model->successor[0]));
        std::vector<double> exploring(4), acting(4);
        double explored = 0, acted = 0;
        std::vector<float> q_r(4);
        MadeValues().q_r(model->state, 0, q_r);
        for (int k = 0; k < 30'000; ++k) {
            const Transition t = collector.step({.epsilon_r = 1, .epsilon_h = 1, .curiosity = 1});
            if (t.humanActions[0] != 0) continue;
            ++exploring[static_cast<std::size_t>(t.robotAction)];
            ++explored;
        }
        for (int k = 0; k < 30'000; ++k) {
            const Transition t =
                collector.step({.epsilon_r = 0, .epsilon_h = 1, .beta_r = 1.5, .curiosity = 1});
            if (t.humanActions[0] != 0) continue;
            ++acting[static_cast<std::size_t>(t.robotAction)];
            ++acted;
        }
        const double still = std::exp(2.0);
        const double one = explored / (2 * still + 2);
        QVERIFY(chiSquare(exploring, {one * still, one, one, one * still}) < 16.3);
        std::vector<double> policy;
        double sum = 0;
        for (std::size_t a = 0; a < 4; ++a) {
            const double loss =
                static_cast<double>(-q_r[a]) * (a == 0 || a == 3 ? std::exp(-2.0) : 1);
            policy.push_back(std::pow(loss, -1.5));
            sum += policy.back();
        }
        for (double& p : policy) p *= acted / sum;
        QVERIFY(chiSquare(acting, policy) < 16.3);
        QCOMPARE(newness->calls, 60'000);
    }

    void humansAreCuriousOnlyWhereTheyExplore() {
        const auto world = smallRoom();
        auto newness = std::make_shared<OneIsNew>();
        for (const bool expects : {true, false}) {
            CollectorSpec spec{.seed = 2,
                               .expectsHumans = expects,
                               .stepsPerEpisode = 1,
                               .curiosity_h = {.kind = CuriositySpec::Kind::Given}};
            Collector collector(spec, collectorWorlds({world}, 0.0), nullptr, newness);
            const auto model = collector.modeller(0).model(world->initialConfiguration(), 0);
            newness->wanted = fingerprintOf(model->successorBytes(model->successor[0]));
            std::vector<double> exploring(4), following(4);
            constexpr int kSteps = 30'000;
            ActingRates rates{.epsilon_r = 1, .epsilon_h = 1, .curiosity = 3};
            for (int k = 0; k < kSteps; ++k) ++exploring[collector.step(rates).humanActions[0]];
            rates.epsilon_h = 0;
            for (int k = 0; k < kSteps; ++k) ++following[collector.step(rates).humanActions[0]];
            // Two of four robot actions lead to the new state, if the human keeps still.
            const double still = std::exp(3 * 2.0 / 2);
            QVERIFY(chiSquare(exploring, {kSteps * still / (still + 3), kSteps / (still + 3),
                                          kSteps / (still + 3), kSteps / (still + 3)}) < 16.3);
            QVERIFY(chiSquare(following, std::vector<double>(4, kSteps / 4.0)) < 16.3);
        }
    }

    void countingMakesARobotSeeMoreStates() {
        const auto world = smallRoom(40);
        const auto statesOf = [&](double curiosity) {
            CollectorSpec spec{.seed = 6, .stepsPerEpisode = 40};
            spec.modeller.includesStepCount = false;
            spec.curiosity_r = {.kind = CuriositySpec::Kind::Counts};
            Collector collector = collectorOf({world}, spec);
            stepsOf(collector, 300, {.epsilon_r = 1, .epsilon_h = 1, .curiosity = curiosity});
            return collector.visits().numStates();
        };
        const std::size_t without = statesOf(0), with = statesOf(20);
        qInfo("%zu states without, %zu with", without, with);
        QVERIFY(with > without);
        Collector plain = collectorOf({world}, {});
        stepsOf(plain, 10, {});
        QCOMPARE(plain.visits().numStates(), std::size_t{0});
    }
};

ORRERY_TEST(CollectorCuriosityTest)
#include "collector_curiosity_test.moc"
