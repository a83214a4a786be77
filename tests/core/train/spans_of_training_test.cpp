#include <QTest>
#include <chrono>
#include <cmath>

#include "core/run/span_file.h"
#include "core/trace/span_stats.h"
#include "tests/core/empo/training.h"
#include "tests/core/train/empo_training.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

struct ToldSpans {
    std::shared_ptr<const EmpoSnapshot> snapshot;
    TrainOutcome outcome;
    double seconds = 0;
};

ToldSpans train(const EmpoSpec& spec) {
    test::EmpoTraining request;
    request.spec = spec;
    request.worlds = {test::pairRoom(5)};
    request.exact = {test::solveExactly(request.worlds[0], spec)};
    request.specJson = "{}";
    request.cadence = {.metricInterval = 50, .checkpointSeconds = 0};
    ToldSpans told;
    TrainHooks hooks;
    test::keepSnapshot(hooks, told.snapshot);
    const auto begin = std::chrono::steady_clock::now();
    told.outcome = test::trainEmpo(request, hooks, {});
    told.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return told;
}

EmpoSpec specOf(bool hasNetworks, bool isAsync, std::int64_t steps) {
    EmpoSpec spec = hasNetworks ? test::networkSpec() : test::tabularSpec();
    spec.trainingSteps = steps;
    spec.isAsync = isAsync;
    spec.numCollectors = isAsync ? 2 : 1;
    spec.minBufferSize = 100;
    return spec;
}

}  // namespace

/// What real trainings record of themselves.
class SpansOfTrainingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSpansOfAStepAreTheStep_data() {
        QTest::addColumn<bool>("hasNetworks");
        QTest::addColumn<bool>("isAsync");
        QTest::addColumn<int>("steps");
        QTest::newRow("tables in turn") << false << false << 6000;
        QTest::newRow("tables with actors on threads") << false << true << 6000;
        QTest::newRow("networks in turn") << true << false << 150;
    }
    void theSpansOfAStepAreTheStep() {
        QFETCH(bool, hasNetworks);
        QFETCH(bool, isAsync);
        QFETCH(int, steps);
        const ToldSpans told = train(specOf(hasNetworks, isAsync, steps));
        QCOMPARE(told.outcome.steps, steps);
        QVERIFY(told.snapshot->timeline != nullptr);
        const SpanTimeline& timeline = *told.snapshot->timeline;
        QCOMPARE(timeline.lanes.size(), isAsync ? 3U : 1U);
        const SpanLane& learner = *timeline.lanes[0];
        QCOMPARE(learner.name, std::string("learner"));
        // Each sample is without gaps, its steps follow each other by number.
        std::int64_t recorded = 0, recordedNs = 0;
        for (const auto& lane : timeline.lanes)
            for (const auto& burst : lane->bursts) {
                std::int64_t sum = 0;
                for (std::size_t i = 0; i < burst->spans.size(); ++i) {
                    if (i > 0) QCOMPARE(burst->spans[i].beginNs(), burst->spans[i - 1].endNs());
                    sum += burst->spans[i].lengthNs();
                }
                QCOMPARE(sum, burst->endNs() - burst->beginNs());
                QVERIFY(burst->stepEnds.size() <= SpanRecorder::kBurstSteps);
                if (lane == timeline.lanes[0]) {
                    recorded += std::ssize(burst->stepEnds);
                    recordedNs += sum;
                    QVERIFY(burst->firstStep >= 1 && burst->firstStep <= steps + 1);
                }
            }
        QVERIFY(recorded >= std::min(steps, 16) - 1);
        // The bins are all of the time: as long as the run, and equal to the sums by stage.
        std::int64_t counted = 0, all = 0, inStages = 0, end = learner.bins.front().beginNs;
        for (const SpanBin& bin : learner.bins) {
            QCOMPARE(bin.beginNs, end);
            end = bin.endNs;
            counted += bin.steps;
            std::int64_t sum = 0;
            for (const std::int64_t ns : bin.ns) sum += ns;
            QCOMPARE(sum, bin.endNs - bin.beginNs);
            all += sum;
            for (const SpanKind stage : kProfileStages)
                if (!isIdle(stage)) inStages += bin.ns[static_cast<std::size_t>(stage)];
        }
        QCOMPARE(counted, steps);
        QVERIFY(static_cast<double>(all) * 1e-9 <= told.seconds);
        QVERIFY(static_cast<double>(all) * 1e-9 >= 0.5 * told.seconds - 0.2);
        std::int64_t stages = 0;
        const StageSums& sums = told.snapshot->profile;
        for (const SpanKind stage : kProfileStages)
            if (!isIdle(stage)) stages += sums.ns[static_cast<std::size_t>(stage)];
        QCOMPARE(inStages, stages);
        // The recorded steps are like all steps.
        const SpanStats whole = statsOf(learner, wholeOf(learner));
        QVERIFY(whole.isOfAll);
        QCOMPARE(whole.steps, steps);
        const double median = whole.whole.median;
        qInfo(
            "%lld of %d steps recorded; a step takes %.1f us in the mean, %.1f in the median; "
            "recording %lld bytes at most, a probe %.0f ns, %.2f %% of the run",
            static_cast<long long>(recorded), steps, whole.whole.mean * 1e-3, median * 1e-3,
            static_cast<long long>(told.snapshot->memory.recording), StageClock::probeNs(),
            100 * static_cast<double>(sums.probes) * StageClock::probeNs() /
                static_cast<double>(all));
        QVERIFY(median > 0 && median < 20 * whole.whole.mean);
        QVERIFY(recordedNs <= all);
        if (!isAsync) return;
        for (std::size_t k = 1; k < 3; ++k) {
            const SpanLane& lane = *timeline.lanes[k];
            QCOMPARE(lane.name, "actor " + std::to_string(k - 1));
            std::int64_t acting = 0;
            for (const SpanBin& bin : lane.bins)
                acting += bin.ns[static_cast<std::size_t>(SpanKind::Act)];
            QVERIFY(acting > 0);
            QVERIFY(busyShare(lane, wholeOf(lane)) > 0);
        }
    }

    void whatIsStoredIsReadBack() {
        const ToldSpans told = train(specOf(false, true, 3000));
        const std::string text =
            spansJson(*told.snapshot->timeline, memoryByName(told.snapshot->memory));
        qInfo("%zu bytes", text.size());
        const StoredSpans back = spansFromJson(text, empoSpans(), "spans.json");
        QVERIFY(back.memory == memoryByName(told.snapshot->memory));
        for (const char* part : {"buffer", "tables", "process"}) QVERIFY(back.memory.at(part) > 0);
        QCOMPARE(back.timeline->lanes.size(), told.snapshot->timeline->lanes.size());
        for (std::size_t k = 0; k < back.timeline->lanes.size(); ++k) {
            const SpanLane &a = *back.timeline->lanes[k], &b = *told.snapshot->timeline->lanes[k];
            QCOMPARE(a.name, b.name);
            QCOMPARE(a.bursts.size(), b.bursts.size());
            QCOMPARE(a.bins.size(), b.bins.size());
            for (std::size_t i = 0; i < a.bursts.size(); ++i) {
                QCOMPARE(a.bursts[i]->stepEnds, b.bursts[i]->stepEnds);
                QCOMPARE(a.bursts[i]->firstStep, b.bursts[i]->firstStep);
                QCOMPARE(a.bursts[i]->endNs(), b.bursts[i]->endNs());
                QCOMPARE(a.bursts[i]->spans.size(), b.bursts[i]->spans.size());
            }
            for (std::size_t i = 0; i < a.bins.size(); ++i) QVERIFY(a.bins[i].ns == b.bins[i].ns);
        }
        for (const char* bad : {"", "{}", "{\"version\": 2}", "[1]"})
            QVERIFY_THROWS_EXCEPTION(std::exception, spansFromJson(bad, empoSpans(), "spans.json"));
        std::string broken = text;
        const auto at = broken.find("\"spans\":[") + 9;
        broken.replace(at, 1, "99");
        QVERIFY_THROWS_EXCEPTION(std::exception, spansFromJson(broken, empoSpans(), "spans.json"));
    }
};

ORRERY_TEST(SpansOfTrainingTest)
#include "spans_of_training_test.moc"
