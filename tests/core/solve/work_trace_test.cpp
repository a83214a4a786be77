#include "core/trace/work_trace.h"

#include <QTest>
#include <algorithm>
#include <map>

#include "core/dag/explore_traced.h"
#include "core/solve/level_store.h"
#include "core/solve/solve_traced.h"
#include "tests/core/dag/sample_worlds.h"
#include "tests/core/solve/solve_checks.h"
#include "tests/support/test_program.h"
#include "tests/support/test_worlds.h"
#include "tests/support/work_intervals.h"

using namespace orrery;
using test::sampleSpec;
using test::withThreads;

namespace {

/// Every thread's intervals one after the other, with what they say about themselves in bounds.
QString whyNotInOrder(const SpanTimeline& timeline) {
    std::map<int, std::int64_t> ended;
    int lastThread = 0;
    for (const WorkInterval& i : test::intervalsOf(timeline)) {
        if (i.thread < lastThread) return QStringLiteral("the threads are mixed");
        lastThread = i.thread;
        if (i.thread >= std::ssize(timeline.lanes)) return QStringLiteral("a thread too many");
        if (i.beginNs < ended[i.thread])
            return QStringLiteral("thread %1: %2 ns begins before %3 ns")
                .arg(i.thread)
                .arg(i.beginNs)
                .arg(ended[i.thread]);
        ended[i.thread] = i.endNs;
        if (i.endNs < i.beginNs || i.endNs > timeline.untilNs)
            return QStringLiteral("an end out of bounds");
        if (i.work.busyNs > i.endNs - i.beginNs) return QStringLiteral("more work than time");
        if (i.work.phase1Ns > i.work.busyNs) return QStringLiteral("more of phase 1 than work");
    }
    return {};
}

std::map<int, std::int64_t> statesByLevel(const SpanTimeline& timeline, SpanKind kind) {
    std::map<int, std::int64_t> states;
    for (const WorkInterval& i : test::intervalsOf(timeline))
        if (i.kind == kind) states[i.work.level] += i.work.states;
    return states;
}

}  // namespace

class WorkTraceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSolveIsCoveredLevelByLevel_data() {
        QTest::addColumn<int>("threads");
        QTest::newRow("one thread") << 1;
        QTest::newRow("three threads") << 3;
    }

    void aSolveIsCoveredLevelByLevel() {
        QFETCH(int, threads);
        const auto world = test::sampleWorlds().back().world;
        WorkTrace trace;
        const auto graph = exploreTraced(world, {.threads = threads}, trace);
        SolveStatistics statistics;
        const SolveSpec spec = withThreads(sampleSpec(1), threads);
        const auto solution = solveTraced(graph, spec, {}, {}, &statistics, trace);
        QVERIFY(solution != nullptr);
        const auto timeline = trace.timeline();
        QCOMPARE(static_cast<int>(timeline->lanes.size()), threads);
        QCOMPARE(whyNotInOrder(*timeline), QString());

        const auto solved = statesByLevel(*timeline, WorkKind::kSolve);
        QCOMPARE(static_cast<int>(solved.size()), graph->numLevels());
        for (const auto& [level, states] : solved) QCOMPARE(states, graph->levelSize(level));
        std::int64_t expanded = 0, entries = 0;
        for (const WorkInterval& i : test::intervalsOf(*timeline))
            if (i.kind == WorkKind::kExplore) {
                expanded += i.work.states;
                entries += i.work.entries;
            }
        QCOMPARE(entries, graph->numEntries());
        QVERIFY(expanded > 0 && expanded <= graph->numConfigs());
        QVERIFY(!statesByLevel(*timeline, WorkKind::kStore).empty());
    }

    void itsTimesAgreeWithTheStatistics() {
        // Large enough that reading clocks does not matter.
        Rng rng(7, 0);
        const auto world = std::make_shared<TableWorld>(
            randomTableWorld({.configs = 4000, .actions = 3, .maxSteps = 12}, rng));
        WorkTrace trace;
        const auto graph = exploreTraced(world, {.threads = 1}, trace);
        SolveStatistics statistics;
        const auto solution =
            solveTraced(graph, withThreads(sampleSpec(2), 1), {}, {}, &statistics, trace);
        QVERIFY(solution != nullptr);
        double busy = 0, begin = 1e18, end = 0;
        const auto timeline = trace.timeline();
        for (const WorkInterval& i : test::intervalsOf(*timeline))
            if (i.kind == WorkKind::kSolve) {
                busy += static_cast<double>(i.work.busyNs) * 1e-9;
                begin = std::min(begin, static_cast<double>(i.beginNs) * 1e-9);
                end = std::max(end, static_cast<double>(i.endNs) * 1e-9);
            }
        QVERIFY2(busy <= statistics.seconds * 1.001, qPrintable(QString::number(busy)));
        QVERIFY2(busy > statistics.seconds * 0.5,
                 qPrintable(QStringLiteral("%1 of %2 s").arg(busy).arg(statistics.seconds)));
        QVERIFY(end - begin <= statistics.seconds * 1.001);
        QVERIFY(busy <= (end - begin) * 1.001);
    }

    void tracingChangesNoBit() {
        const auto world = test::sampleWorlds().back().world;
        const SolveSpec spec = withThreads(sampleSpec(3), 2);
        const auto plain = solve(explore(world, {.threads = 2}), spec);
        WorkTrace trace;
        const auto traced =
            solveTraced(exploreTraced(world, {.threads = 2}, trace), spec, {}, {}, nullptr, trace);
        const StateGraph& graph = plain->graph();
        QCOMPARE(traced->graph().numConfigs(), graph.numConfigs());
        QCOMPARE(traced->graph().numEntries(), graph.numEntries());
        for (int step = 0; step + 1 < graph.numLevels(); ++step) {
            const auto a = plain->levels().level(step), b = traced->levels().level(step);
            QCOMPARE(a.size(), b.size());
            QVERIFY(std::ranges::equal(a, b));
        }
    }

    void aFullListIsThinnedOutAndLosesNoWork() {
        WorkTrace trace(64);
        trace.setThreads(1);
        std::int64_t at = 0, busy = 0, states = 0;
        for (int level = 0; level < 500; ++level)
            for (int part = 0; part < 20; ++part) {
                const std::int64_t length = 1000 + 13 * part;
                trace.add(
                    {.kind = WorkKind::kSolve,
                     .beginNs = at,
                     .endNs = at + length,
                     .work = {.level = level, .lastLevel = level, .busyNs = length, .states = 3}});
                at += length + 1'000'000;  // a break that is too long to be left out
                busy += length;
                states += 3;
            }
        const auto timeline = trace.timeline();
        QVERIFY2(timeline->places().size() <= 64,
                 qPrintable(QString::number(timeline->places().size())));
        std::int64_t keptBusy = 0, keptStates = 0, before = 0;
        int nextLevel = 0;
        for (const WorkInterval& i : test::intervalsOf(*timeline)) {
            keptBusy += i.work.busyNs;
            keptStates += i.work.states;
            QVERIFY(i.beginNs >= before);
            before = i.endNs;
            QVERIFY(i.work.level <= nextLevel);
            nextLevel = i.work.lastLevel + 1;
        }
        QCOMPARE(nextLevel, 500);
        QCOMPARE(keptBusy, busy);
        QCOMPARE(keptStates, states);
    }

    void kindsThatTakeTurnsStayWithinBounds() {
        WorkTrace trace(64);
        trace.setThreads(1);
        for (int k = 0; k < 10'000; ++k) {
            const auto beginNs = std::int64_t{1000} * k;
            trace.add({.kind = k % 2 == 0 ? WorkKind::kExplore : WorkKind::kStore,
                       .beginNs = beginNs,
                       .endNs = beginNs + 900,
                       .work = {.level = k / 100, .lastLevel = k / 100, .busyNs = 900}});
        }
        const auto timeline = trace.timeline();
        QVERIFY(timeline->places().size() <= 64);
        std::int64_t busy = 0;
        for (const WorkInterval& i : test::intervalsOf(*timeline)) busy += i.work.busyNs;
        QCOMPARE(busy, std::int64_t{9'000'000});
        QCOMPARE(test::intervalsOf(*timeline).back().work.lastLevel, 99);
    }

    void neighboursOfOneLevelAreOneInterval() {
        WorkTrace trace;
        trace.setThreads(2);
        const auto add = [&](int thread, int level, std::int64_t begin, std::int64_t end) {
            trace.add(
                {.kind = WorkKind::kSolve,
                 .thread = thread,
                 .beginNs = begin,
                 .endNs = end,
                 .work = {.level = level, .lastLevel = level, .busyNs = end - begin, .states = 1}});
        };
        add(0, 5, 0, 100);
        add(0, 5, 150, 250);
        add(0, 4, 250, 300);
        add(1, 5, 0, 90);
        add(0, 4, 50'000'300, 50'000'400);  // after a pause
        const auto timeline = trace.timeline();
        const auto intervals = test::intervalsOf(*timeline);
        QCOMPARE(intervals.size(), std::size_t{4});
        QCOMPARE(intervals[0].endNs, std::int64_t{250});
        QCOMPARE(intervals[0].work.busyNs, std::int64_t{200});
        QCOMPARE(intervals[0].work.states, std::int64_t{2});
        QCOMPARE(intervals[3].thread, 1);
    }
};

ORRERY_TEST(WorkTraceTest)
#include "work_trace_test.moc"
