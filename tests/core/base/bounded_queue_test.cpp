#include "core/base/bounded_queue.h"

#include <unistd.h>

#include <QTest>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/base/latest.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace std::chrono_literals;
using orrery::BoundedQueue;
using orrery::test::isAsleep;
using orrery::test::waitUntil;

namespace {

/// Waits until the thread that stores its id here waits itself.
bool waitUntilAsleep(const std::atomic<pid_t>& thread) {
    return waitUntil([&] { return thread != 0 && isAsleep(thread); });
}

}  // namespace

class BoundedQueueTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itemsComeOutInTheOrderTheyWentIn() {
        BoundedQueue<int> queue(3);
        QVERIFY(queue.tryPush(7));
        QVERIFY(queue.tryPush(8));
        QVERIFY(queue.tryPush(9));
        QCOMPARE(queue.pop().value(), 7);
        QCOMPARE(queue.drain(), (std::vector<int>{8, 9}));
        QVERIFY(!queue.tryPop());
    }

    void aRefusedItemStaysWithItsProducer() {
        BoundedQueue<std::unique_ptr<int>> queue(1);
        QVERIFY(queue.tryPush(std::make_unique<int>(1)));
        auto second = std::make_unique<int>(2);
        QVERIFY(!queue.tryPush(second));
        QVERIFY(!queue.pushFor(second, 5ms));
        QVERIFY(second != nullptr);
        QCOMPARE(*second, 2);
        QCOMPARE(queue.size(), std::size_t{1});
    }

    void aFullQueueHoldsItsProducerUntilThereIsRoom() {
        BoundedQueue<int> queue(1);
        QVERIFY(queue.push(1));
        std::atomic<bool> pushed{false};
        std::atomic<pid_t> thread{0};
        std::jthread producer([&] {
            thread = ::gettid();
            pushed = queue.push(2);
        });
        QVERIFY(waitUntilAsleep(thread));
        QVERIFY(!pushed);
        QCOMPARE(queue.pop().value(), 1);
        QCOMPARE(queue.popFor(orrery::test::kHang).value(), 2);
        producer.join();
        QVERIFY(pushed);
    }

    void stopEndsEveryWait() {
        BoundedQueue<int> full(1);
        QVERIFY(full.push(1));
        BoundedQueue<int> empty(1);
        std::stop_source stop;
        bool pushed = true;
        bool popped = true;
        const auto begin = std::chrono::steady_clock::now();
        std::atomic<pid_t> pushing{0}, popping{0};
        std::jthread producer([&] {
            pushing = ::gettid();
            pushed = full.push(2, stop.get_token());
        });
        std::jthread consumer([&] {
            popping = ::gettid();
            popped = empty.popFor(100s, stop.get_token()).has_value();
        });
        const bool areWaiting = waitUntilAsleep(pushing) && waitUntilAsleep(popping);
        stop.request_stop();
        producer.join();
        consumer.join();
        QVERIFY(areWaiting);
        QVERIFY(!pushed);
        QVERIFY(!popped);
        // It takes milliseconds; the time that was to be waited is far beyond a busy machine's.
        QVERIFY(std::chrono::steady_clock::now() - begin < 90s);
    }

    void aClosedQueueGivesItsRestAndTakesNothing() {
        BoundedQueue<int> queue(4);
        QVERIFY(queue.push(1));
        queue.close();
        QVERIFY(!queue.push(2));
        QCOMPARE(queue.pop().value(), 1);
        QVERIFY(!queue.pop());
        QVERIFY(queue.closed());
    }

    void nothingIsLostOrDoubledBetweenManyThreads() {
        constexpr int kProducers = 3;
        constexpr int kItems = 5000;
        BoundedQueue<int> queue(16);
        std::vector<std::vector<int>> taken(2);
        {
            std::vector<std::jthread> consumers;
            consumers.reserve(taken.size());
            for (auto& mine : taken)
                consumers.emplace_back([&queue, &mine] {
                    while (auto item = queue.pop()) mine.push_back(*item);
                });
            {
                std::vector<std::jthread> producers;
                producers.reserve(kProducers);
                for (int p = 0; p < kProducers; ++p)
                    producers.emplace_back([&queue, p] {
                        for (int i = 0; i < kItems; ++i) queue.push(p * kItems + i);
                    });
            }
            queue.close();
        }
        std::vector<int> times(std::size_t{kProducers} * kItems);
        for (const auto& mine : taken) {
            std::vector<int> last(kProducers, -1);
            for (const int item : mine) {
                ++times[item];
                QVERIFY(last[item / kItems] < item);  // each producer's items stay in order
                last[item / kItems] = item;
            }
        }
        QCOMPARE(std::accumulate(times.begin(), times.end(), 0), kProducers * kItems);
        QCOMPARE(*std::min_element(times.begin(), times.end()), 1);
    }

    void latestGivesTheNewestWholeValue() {
        orrery::Latest<std::vector<int>> latest;
        QVERIFY(latest.load() == nullptr);
        std::jthread producer([&latest] {
            for (int i = 1; i <= 2000; ++i)
                latest.store(std::make_shared<const std::vector<int>>(8, i));
        });
        int newest = 0;
        while (newest < 2000) {
            const auto value = latest.load();
            if (!value) continue;
            QCOMPARE(*value, std::vector<int>(8, value->front()));  // never a mixture
            QVERIFY(value->front() >= newest);
            newest = value->front();
        }
    }
};

ORRERY_TEST(BoundedQueueTest)
#include "bounded_queue_test.moc"
