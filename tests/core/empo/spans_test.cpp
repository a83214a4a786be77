#include <QTest>
#include <array>
#include <chrono>
#include <thread>

#include "core/base/cpu.h"
#include "core/empo/batch_profile.h"
#include "core/trace/span_recorder.h"
#include "core/trace/span_stats.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace orrery;

namespace {

using Clock = SpanRecorder::Clock;
using std::chrono::nanoseconds;

constexpr std::array kStages = {ProfileStage::kCollect,   ProfileStage::kForward,
                                ProfileStage::kScatter,   ProfileStage::kBackward,
                                ProfileStage::kOptimiser, ProfileStage::kActor};

/// A recorder under a clock that goes as the test says.
struct Recording {
    Clock::time_point origin = Clock::now(), now = origin;
    SpanRecorder recorder;
    std::int64_t steps = 0;

    explicit Recording(std::size_t capacity = 256)
        : recorder("learner", origin, capacity, origin) {}

    void pass(std::int64_t ns) { now += nanoseconds(ns); }
    /// A step of six stages: the k'th takes (k + 1) times `unit`, the last ends it.
    void step(std::int64_t unit) {
        for (std::size_t k = 0; k < kStages.size(); ++k) {
            recorder.enter(kStages[k], now);
            pass(static_cast<std::int64_t>(k + 1) * unit);
        }
        recorder.endStep(++steps + 1);
    }
    std::shared_ptr<const SpanLane> shown() {
        recorder.flush(now);
        return recorder.lane();
    }
};
constexpr std::int64_t kUnits = 21;  ///< of a step

std::int64_t sumOf(const SpanBin& bin) {
    std::int64_t sum = 0;
    for (const std::int64_t ns : bin.ns) sum += ns;
    return sum;
}

}  // namespace

class SpansTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSampleIsWholeStepsWithoutGaps() {
        Recording recording;
        recording.pass(7'000);
        for (int k = 0; k < 40; ++k) recording.step(100);
        const auto lane = recording.shown();
        QCOMPARE(lane->bursts.size(), 1U);
        const SpanBurst& burst = *lane->bursts[0];
        QVERIFY(burst.isFirstPartial);  // the thread began idle
        QCOMPARE(burst.stepEnds.size(), SpanRecorder::kBurstSteps);
        QCOMPARE(burst.spans.size(), SpanRecorder::kBurstSteps * kStages.size());
        for (std::size_t i = 1; i < burst.spans.size(); ++i)
            QCOMPARE(burst.spans[i].beginNs(), burst.spans[i - 1].endNs());
        for (std::size_t i = 0; i < burst.spans.size(); ++i) {
            QCOMPARE(static_cast<int>(burst.spans[i].kind()),
                     static_cast<int>(kStages[i % kStages.size()]));
            QCOMPARE(burst.spans[i].lengthNs(),
                     static_cast<std::int64_t>(i % kStages.size() + 1) * 100);
        }
    }

    void memoryIsBoundedAndTheWholeRunIsCovered() {
        // Three minutes of a learner with 15 000 steps a second.
        Recording recording;
        constexpr std::int64_t kSteps = 2'700'000, kUnit = 3'175;  // 66.7 us a step
        for (std::int64_t k = 0; k < kSteps; ++k) recording.step(kUnit);
        const auto lane = recording.shown();
        QVERIFY(lane->bursts.size() <= SpanRecorder::kNewestBursts + SpanRecorder::kOlderBursts);
        QVERIFY(lane->bursts.size() >= SpanRecorder::kNewestBursts + 16);
        std::size_t bytes = lane->bins.capacity() * sizeof(SpanBin);
        for (const auto& burst : lane->bursts)
            bytes += sizeof(SpanBurst) + burst->spans.capacity() * sizeof(StageSpan) +
                     burst->stepEnds.capacity() * sizeof(std::uint32_t);
        QVERIFY(bytes <= SpanRecorder::mostBytes());
        qInfo("%zu samples, %zu bins, %zu bytes of %zu at most", lane->bursts.size(),
              lane->bins.size(), bytes, SpanRecorder::mostBytes());
        QVERIFY(SpanRecorder::mostBytes() < 700'000);
        // Bins hold everything, without gaps; samples are in every eighth of the run.
        QVERIFY(lane->bins.size() <= SpanRecorder::kMostBins + 1);
        std::int64_t steps = 0, end = 0;
        for (const SpanBin& bin : lane->bins) {
            QCOMPARE(bin.beginNs, end);
            QCOMPARE(sumOf(bin), bin.endNs - bin.beginNs);
            QCOMPARE(bin.firstStep, steps + 1);
            steps += bin.steps;
            end = bin.endNs;
        }
        QVERIFY(std::abs(steps - kSteps) <= 1);
        QCOMPARE(end, kSteps * kUnits * kUnit);
        std::array<int, 8> samples = {};
        for (const auto& burst : lane->bursts)
            ++samples[static_cast<std::size_t>(burst->beginNs() * 8 / end)];
        for (const int count : samples) QVERIFY(count >= 2);
        // The newest seconds have every sample.
        const auto newest = lane->bursts.end() - 10;
        for (auto at = newest; at + 1 != lane->bursts.end(); ++at)
            QVERIFY((*(at + 1))->beginNs() - (*at)->beginNs() < 60'000'000);
    }

    void slowStepsAreAllRecorded() {
        Recording recording;
        for (int k = 0; k < 300; ++k) recording.step(5'000'000);  // 105 ms
        const auto lane = recording.shown();
        std::int64_t end = -1;
        int numSteps = 0;
        for (const auto& burst : lane->bursts) {
            if (end >= 0) QCOMPARE(burst->beginNs(), end);
            end = burst->endNs();
            numSteps += static_cast<int>(burst->stepEnds.size());
        }
        QVERIFY2(numSteps >= 299, qPrintable(QString::number(numSteps)));
    }

    void aLongWaitWithinAStepDoesNotOverflow() {
        Recording recording(64);
        recording.step(1000);
        for (int k = 0; k < 5000; ++k) {
            recording.recorder.enter(ProfileStage::kActor, recording.now);
            recording.pass(10'000'000);
            recording.recorder.enter(SpanKind::Idle, recording.now);
            recording.pass(1'000);
        }
        recording.step(1000);
        const auto lane = recording.shown();
        QVERIFY(lane->bursts.size() > 10);
        for (const auto& burst : lane->bursts) QVERIFY(burst->spans.size() <= 64);
        QVERIFY(lane->bursts[4]->isFirstPartial);
        QVERIFY(statsOf(*lane, wholeOf(*lane)).recorded <= 2);
    }

    void statisticsOfARangeAreThoseOfItsSteps() {
        Recording recording;
        for (int k = 0; k < 20; ++k) recording.step(1'000'000);  // 21 ms each
        const std::int64_t middle =
            recording.now.time_since_epoch().count() - recording.origin.time_since_epoch().count();
        for (int k = 0; k < 20; ++k) recording.step(3'000'000);
        const auto lane = recording.shown();
        const SpanRange whole = wholeOf(*lane);
        QCOMPARE(whole.beginNs, 0);
        QCOMPARE(whole.endNs, 20 * 21'000'000LL + 20 * 63'000'000LL);
        const SpanStats all = statsOf(*lane, whole);
        QVERIFY(all.isOfAll);
        QVERIFY(std::abs(all.steps - 40) <= 1);
        const auto forward = static_cast<std::size_t>(ProfileStage::kForward);
        QVERIFY(std::abs(all.kinds[forward].mean - 4e6) < 0.15e6);
        // The second half, by its recorded steps alone.
        const SpanStats late = statsOf(*lane, {middle, middle + 5 * 63'000'000LL + 1});
        QCOMPARE(late.recorded, 5);
        QCOMPARE(late.kinds[forward].median, 6e6);
        QCOMPARE(late.kinds[forward].longest, 6e6);
        QCOMPARE(late.kinds[forward].percentile95, 6e6);
        QCOMPARE(late.whole.median, 63e6);
        QCOMPARE(late.kinds[static_cast<std::size_t>(SpanKind::Act)].longest, 0.0);
        // Less than one step: nothing whole was recorded in it.
        QCOMPARE(statsOf(*lane, {middle + 1, middle + 1000}).recorded, 0);
        QVERIFY(std::abs(busyShare(*lane, whole) - 1) < 1e-9);
    }

    void idleTimeIsNotBusy() {
        Recording recording;
        for (int k = 0; k < 100; ++k) {
            recording.recorder.enter(SpanKind::Act, recording.now);
            recording.pass(3'000'000);
            recording.recorder.enter(SpanKind::Throttled, recording.now);
            recording.pass(1'000'000);
            recording.recorder.endStep();
        }
        const auto lane = recording.shown();
        QVERIFY(std::abs(busyShare(*lane, wholeOf(*lane)) - 0.75) < 0.01);
    }

    void showingNeverTakesLong() {
        Recording recording;
        for (int k = 0; k < 300'000; ++k) recording.step(10'000);
        double least = 1e9;
        for (int k = 0; k < 20; ++k) {
            recording.step(10'000);
            const double begin = threadCpuMs();
            recording.recorder.flush(recording.now);
            least = std::min(least, (threadCpuMs() - begin) * 1e6);
        }
        qInfo("%.1f us to show all of a full recording", least * 1e-3);
        QVERIFY(least < 50'000 * test::kSlowdown);
    }

    void otherThreadsSeeWholeLanes() {
        SpanRecorder recorder("learner");
        std::atomic<bool> isDone = false;
        std::atomic<int> seen = 0;
        std::jthread reader([&] {
            while (!isDone) {
                const auto lane = recorder.lane();
                if (!lane) continue;
                for (const auto& burst : lane->bursts)
                    if (burst->spans.empty()) qFatal("an empty sample");
                if (!lane->bins.empty()) ++seen;
            }
        });
        // As long as the reader needs to see some, and long enough to write much meanwhile.
        const auto until = Clock::now() + std::chrono::milliseconds(700);
        const auto end = Clock::now() + test::kHang;
        std::int64_t step = 1;
        while (Clock::now() < until || (seen == 0 && Clock::now() < end)) {
            for (const SpanKind kind : kStages) recorder.enter(kind);
            recorder.endStep(++step);
        }
        isDone = true;
        reader.join();
        QVERIFY(seen > 0);
    }

    void aProfileNumbersItsSteps() {
        StageClock profile;
        profile.spans().beginAt(101);
        for (int k = 0; k < 4; ++k) {
            profile.enter(ProfileStage::kCollect);
            QTest::qSleep(15);  // Must wait for time: a clock is tested.
            profile.countCall(101 + k);
            profile.enter(ProfileStage::kIdle, SpanKind::Answers);
        }
        profile.spans().flush();
        const auto lane = profile.spans().lane();
        QCOMPARE(lane->name, std::string("learner"));
        QCOMPARE(lane->bins.front().firstStep, 101);
        std::int64_t answers = 0, collect = 0;
        for (const SpanBin& bin : lane->bins) {
            answers += bin.ns[static_cast<std::size_t>(SpanKind::Answers)];
            collect += bin.ns[static_cast<std::size_t>(ProfileStage::kCollect)];
        }
        QVERIFY(collect >= 60'000'000);
        // What is recorded finer is one stage in the sums.
        QVERIFY(std::abs(profile.sums().milliseconds(ProfileStage::kCollect) * 4e6 -
                         static_cast<double>(collect)) < 1);
        QVERIFY(answers > 0);
    }
};

ORRERY_TEST(SpansTest)
#include "spans_test.moc"
