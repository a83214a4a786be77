#include "core/base/event_queue.h"

#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <filesystem>
#include <limits>
#include <thread>
#include <vector>

#include "core/base/fault.h"
#include "core/base/feed.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace std::chrono_literals;
using orrery::EventQueue;
using orrery::RunEvent;
using orrery::RunState;
using orrery::test::waitUntil;

namespace {

RunEvent::Metric metric(std::int64_t step) {
    return {.step = step, .key = "loss", .value = 0.5};
}

std::int64_t stepOf(const RunEvent& event) {
    return std::get<RunEvent::Metric>(event.body).step;
}

}  // namespace

class EventQueueTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::filesystem::path overflow() const {
        return std::filesystem::path(m_folder.path().toStdString()) / "overflow.events";
    }

private Q_SLOTS:
    void cleanup() { orrery::setFaults(""); }

    void everyKindSurvivesItsEncoding() {
        const double infinity = std::numeric_limits<double>::infinity();
        const std::vector<RunEvent::Body> bodies{
            RunEvent::Metric{-3, "phase1.level", -infinity},
            RunEvent::Message{orrery::MessageLevel::Warning, "graph.big", std::string("a\0b", 3)},
            RunEvent::State{RunState::Paused},
            RunEvent::Message{.code = "skip", .step = 7},
            RunEvent::Artefact{"plot", "runs/r00001/a.png", "ab", UINT64_MAX},
            RunEvent::Failed{"It broke. Mend it.", 4},
            RunEvent::Finished{RunState::Stopped, "half"}};
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const std::string bytes = orrery::encodeEvent({.seq = i + 1, .body = bodies[i]});
            const auto back = orrery::decodeEvent(bytes);
            QVERIFY(back.has_value());
            QCOMPARE(back->seq, i + 1);
            QCOMPARE(back->body.index(), bodies[i].index());
            QCOMPARE(orrery::encodeEvent(*back), bytes);
            for (std::size_t cut = 0; cut < bytes.size(); ++cut)
                QVERIFY(!orrery::decodeEvent(bytes.substr(0, cut)));
            QVERIFY(!orrery::decodeEvent(bytes + 'x'));
        }
        const auto message =
            orrery::decodeEvent(orrery::encodeEvent({.seq = 1, .body = bodies[1]}));
        QCOMPARE(std::get<RunEvent::Message>(message->body).text, std::string("a\0b", 3));
        const auto skip = orrery::decodeEvent(orrery::encodeEvent({.seq = 1, .body = bodies[3]}));
        QCOMPARE(std::get<RunEvent::Message>(skip->body).step.value(), 7);
    }

    void eventsKeepTheirOrderThroughTheOverflowFile() {
        std::atomic<int> notified{0};
        EventQueue queue({.notify = [&notified] { ++notified; },
                          .overflowFile = overflow(),
                          .capacity = 4,
                          .patience = 1ms});
        for (int i = 0; i < 100; ++i) QCOMPARE(queue.emit(metric(i)), std::uint64_t(i + 1));
        QCOMPARE(queue.spilled(), std::uint64_t{96});
        QVERIFY(std::filesystem::file_size(overflow()) > 0);
        const std::vector<RunEvent> events = queue.drain();
        QCOMPARE(events.size(), std::size_t{100});
        for (int i = 0; i < 100; ++i) {
            QCOMPARE(events[i].seq, std::uint64_t(i + 1));
            QCOMPARE(stepOf(events[i]), i);
        }
        QCOMPARE(notified.load(), 100);
        QCOMPARE(std::filesystem::file_size(overflow()), std::uintmax_t{0});
        queue.emit(metric(100));  // the direct way is open again
        QCOMPARE(queue.spilled(), std::uint64_t{96});
        QCOMPARE(stepOf(queue.drainFor(1s).at(0)), 100);
        QVERIFY(queue.drainFor(1ms).empty());
    }

    void theOverflowFileIsGoneWhenAllWasFetched() {
        {
            EventQueue queue({.overflowFile = overflow(), .capacity = 1, .patience = 0ms});
            for (int i = 0; i < 5; ++i) queue.emit(metric(i));
            QCOMPARE(queue.drain().size(), std::size_t{5});
            QVERIFY(std::filesystem::exists(overflow()));
        }
        QVERIFY(!std::filesystem::exists(overflow()));
    }

    void memoryHoldsWhatTheDiskRefuses() {
        orrery::setFaults("file.write:enospc@3+");
        EventQueue queue({.overflowFile = overflow(), .capacity = 1, .patience = 0ms});
        for (int i = 0; i < 50; ++i) queue.emit(metric(i));
        orrery::setFaults("");
        const std::vector<RunEvent> events = queue.drain();
        QCOMPARE(events.size(), std::size_t{50});
        for (int i = 0; i < 50; ++i) QCOMPARE(stepOf(events[i]), i);
    }

    void manyProducersAndASlowConsumerLoseNothing() {
        constexpr int kProducers = 3;
        constexpr int kEvents = 1500;
        EventQueue queue({.overflowFile = overflow(), .capacity = 8, .patience = 0ms});
        std::vector<RunEvent> events;
        std::atomic<int> numEmitted{0};
        {
            std::vector<std::jthread> producers;
            producers.reserve(kProducers);
            for (int p = 0; p < kProducers; ++p)
                producers.emplace_back([&queue, &numEmitted, p] {
                    for (int i = 0; i < kEvents; ++i, ++numEmitted)
                        queue.emit(metric(p * kEvents + i));
                });
            while (events.size() < std::size_t{kProducers} * kEvents) {
                // Slow: it comes only once more had to go to the file, or nobody produces any more.
                const std::uint64_t before = queue.spilled();
                QVERIFY(waitUntil([&] {
                    return queue.spilled() > before || numEmitted == kProducers * kEvents;
                }));
                const std::vector<RunEvent> some = queue.drainFor(50ms);
                events.insert(events.end(), some.begin(), some.end());
            }
        }
        QVERIFY(queue.spilled() > 0);
        QVERIFY(queue.drain().empty());
        std::vector<int> times(std::size_t{kProducers} * kEvents);
        for (std::size_t i = 0; i < events.size(); ++i) {
            QCOMPARE(events[i].seq, i + 1);
            ++times[stepOf(events[i])];
        }
        QCOMPARE(times, std::vector<int>(std::size_t{kProducers} * kEvents, 1));
    }

    void aFeedCarriesSnapshotsAndEvents() {
        int notified = 0;
        orrery::Feed<std::vector<double>> feed(orrery::FeedOptions{.notify = [&] { ++notified; }});
        QVERIFY(feed.snapshot() == nullptr);
        feed.publish({1.0, 2.0});
        feed.publish({3.0});
        feed.emit(RunEvent::State{RunState::Finished});
        QCOMPARE(*feed.snapshot(), std::vector<double>{3.0});
        QCOMPARE(std::get<RunEvent::State>(feed.events().drain().at(0).body).newState,
                 RunState::Finished);
        QCOMPARE(notified, 3);
    }

    void stateNamesAreReadBack() {
        for (int i = 0; i <= static_cast<int>(RunState::Interrupted); ++i) {
            const auto state = static_cast<RunState>(i);
            QCOMPARE(orrery::runStateOf(orrery::nameOf(state)), std::optional(state));
        }
        QCOMPARE(orrery::nameOf(RunState::Interrupted), std::string_view("interrupted"));
        QVERIFY(!orrery::runStateOf("Running"));
        QVERIFY(orrery::isLive(RunState::Blocked) && !orrery::isLive(RunState::Finished));
    }
};

ORRERY_TEST(EventQueueTest)
#include "event_queue_test.moc"
