#include <QTest>
#include <algorithm>
#include <thread>

#include "core/base/bounded_queue.h"
#include "core/collect/collector.h"
#include "core/grid/grid_world.h"
#include "core/replay/replay_buffer.h"
#include "tests/core/collect/collect_worlds.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

/// From collectors into a replay buffer.
class CollectingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStateTakes520BytesIndexIncluded() {
        GridWorldSpec spec;
        spec.map = {"WeWeWeWeWeWeWe", "WeAy......AyWe", "We....Bl....We", "We..........We",
                    "We....Ro....We", "WeAe......AeWe", "WeWeWeWeWeWeWe"};
        spec.possibleGoals = {Goal{1, 1, 5, 1}, Goal{1, 5, 5, 5}};
        spec.maxSteps = 100;
        const std::shared_ptr<const World> world = makeWorld(spec);
        Collector collector({.seed = 1, .expectsHumans = false}, collectorWorlds({world}));
        ReplayBuffer buffer(collector.modeller(0).facts().shape, 100'000);
        QCOMPARE(buffer.shape().bytes(), std::size_t{508});
        double worst = 0;
        for (int k = 0; k < 25'000; ++k) {
            buffer.add(collector.step({}), k);
            const auto states = static_cast<double>(buffer.states().size());
            if (states > 200'000)
                worst =
                    std::max(worst, static_cast<double>(buffer.states().allocatedBytes()) / states);
        }
        const ReplayStatistics s = buffer.statistics();
        qInfo(
            "%lld states, %.2f bytes a state at most; models %.0f and rows %.0f bytes a "
            "transition, %.1f states a transition",
            static_cast<long long>(s.states), worst,
            static_cast<double>(s.modelBytes) / static_cast<double>(s.size),
            static_cast<double>(s.rowBytes) / static_cast<double>(s.size),
            static_cast<double>(s.states) / static_cast<double>(s.size));
        QVERIFY(s.states > 200'000);
        QVERIFY(worst > 508 && worst <= 520);
    }

    void aCollectorFeedsALearnerThroughAQueue() {
        BoundedQueue<Transition> queue(100);
        constexpr int kSteps = 20'000;
        std::jthread acting([&](const std::stop_token& stop) {
            Collector collector({.seed = 3}, collectorWorlds({smallRoom()}));
            for (int k = 0; k < kSteps; ++k) queue.push(collector.step(ActingRates{}), stop);
            queue.close();
        });
        Collector same({.seed = 3}, collectorWorlds({smallRoom()}));
        ReplayBuffer buffer(same.modeller(0).facts().shape, 1000);
        int received = 0;
        while (auto t = queue.pop()) {
            if (!areEqual(*t, same.step(ActingRates{}))) break;
            buffer.add(*t, received);
            ++received;
        }
        queue.close();
        QCOMPARE(received, kSteps);
        QCOMPARE(buffer.size(), std::size_t{1000});
    }
};

ORRERY_TEST(CollectingTest)
#include "collecting_test.moc"
