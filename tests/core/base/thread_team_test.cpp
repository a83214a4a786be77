#include "core/base/thread_team.h"

#include <QTest>
#include <atomic>
#include <set>
#include <stdexcept>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "tests/support/test_program.h"

using orrery::ThreadTeam;

class ThreadTeamTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyThreadRunsTheTaskOnce() {
        for (const int threads : {1, 2, 5}) {
            ThreadTeam team(threads);
            QCOMPARE(team.size(), threads);
            for (int round = 0; round < 50; ++round) {
                std::vector<std::atomic<int>> times(threads);
                team.run([&times](int thread) { ++times[thread]; });
                for (const auto& count : times) QCOMPARE(count.load(), 1);
            }
        }
    }

    void chunksCoverEveryIndexOnce_data() {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("begin");
        QTest::addColumn<int>("end");
        QTest::addColumn<int>("chunk");
        QTest::newRow("one thread") << 1 << 0 << 1000 << 7;
        QTest::newRow("three threads") << 3 << 0 << 1000 << 7;
        QTest::newRow("offset") << 2 << 13 << 500 << 64;
        QTest::newRow("one chunk") << 2 << 0 << 5 << 100;
        QTest::newRow("empty") << 2 << 5 << 5 << 1;
    }
    void chunksCoverEveryIndexOnce() {
        QFETCH(int, threads);
        QFETCH(int, begin);
        QFETCH(int, end);
        QFETCH(int, chunk);
        ThreadTeam team(threads);
        std::vector<std::atomic<int>> times(end + 10);
        const bool whole =
            team.forChunks(begin, end, chunk, {}, [&](std::int64_t from, std::int64_t to, int) {
                for (std::int64_t i = from; i < to; ++i) ++times[i];
            });
        QVERIFY(whole);
        for (int i = 0; i < end + 10; ++i) QCOMPARE(times[i].load(), i >= begin && i < end ? 1 : 0);
    }

    void anExceptionReachesTheCallerAndTheTeamLivesOn() {
        for (const int threads : {1, 3}) {
            ThreadTeam team(threads);
            QVERIFY_THROWS_EXCEPTION(orrery::Error, team.run([](int thread) {
                if (thread == 0) throw orrery::Error("broken");
            }));
            std::atomic<int> count{0};
            team.run([&count](int) { ++count; });
            QCOMPARE(count.load(), threads);
        }
    }

    void aStopLeavesChunksOut() {
        for (const int threads : {1, 2}) {
            ThreadTeam team(threads);
            std::stop_source stop;
            std::atomic<int> done{0};
            const bool whole = team.forChunks(0, 100000, 1, stop.get_token(),
                                              [&](std::int64_t, std::int64_t, int) {
                                                  if (++done == 10) stop.request_stop();
                                              });
            QVERIFY(!whole);
            QVERIFY(done.load() >= 10);
            QVERIFY(done.load() < 1000);
        }
    }

    void streamsOfRandomNumbersAreRepeatableAndDifferent() {
        std::set<std::uint64_t> firsts;
        for (std::uint64_t seed = 0; seed < 10; ++seed)
            for (std::uint64_t stream = 0; stream < 10; ++stream) {
                orrery::Rng a(seed, stream);
                orrery::Rng b(seed, stream);
                const std::uint64_t first = a.next();
                QCOMPARE(first, b.next());
                firsts.insert(first);
            }
        QCOMPARE(firsts.size(), std::size_t{100});
        orrery::Rng rng(1);
        std::vector<int> counts(6);
        for (int i = 0; i < 60000; ++i) ++counts[rng.below(6)];
        // Standard deviation of each count is 91: five of them.
        for (const int count : counts) QVERIFY(std::abs(count - 10000) < 456);
    }
};

ORRERY_TEST(ThreadTeamTest)
#include "thread_team_test.moc"
