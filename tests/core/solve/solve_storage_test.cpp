#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>

#include "core/base/error.h"
#include "core/solve/solution.h"
#include "tests/core/solve/solve_checks.h"
#include "tests/support/graph_checks.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace orrery;
using test::sampleSpec;
using test::tableWorld;
using test::withThreads;

namespace {

using Answer = std::shared_ptr<const Solution>;

}  // namespace

/// Where levels are kept, how a solve ends early, and what it tells of its work.
class SolveStorageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void narrowStorageIsNearTheDoubles_data() {
        QTest::addColumn<int>("storage");
        QTest::addColumn<double>("tolerance");
        QTest::addRow("float") << int(ValueStorage::Float) << 1e-5;
        QTest::addRow("half") << int(ValueStorage::Half) << 2e-2;
    }
    void narrowStorageIsNearTheDoubles() {
        QFETCH(int, storage);
        QFETCH(double, tolerance);
        const auto graph = explore(tableWorld(200, 6), {.threads = 2});
        SolveSpec spec;
        spec.beta_r = 2;
        const Answer wide = solve(graph, spec);
        spec.storage = static_cast<ValueStorage>(storage);
        const Answer narrow = solve(graph, spec);
        bool anyDifferent = false;
        for (int step = 0; step < graph->numLevels() - 1; ++step)
            for (std::int64_t k = 0; k < graph->levelSize(step); ++k) {
                const State state{step, graph->levelMember(step, k)};
                const double a = wide->v_r(state);
                const double b = narrow->v_r(state);
                anyDifferent = anyDifferent || a != b;
                QVERIFY2(std::abs(a - b) <= tolerance * std::abs(a),
                         qPrintable(QString("%1 %2").arg(a).arg(b)));
                for (int h = 0; h < 2; ++h)
                    for (int g = 0; g < 5; ++g)
                        QVERIFY(std::abs(wide->v_h_e(state, h, g) - narrow->v_h_e(state, h, g)) <=
                                tolerance);
            }
        QVERIFY(anyDifferent);
    }

    void levelsOnDiskHaveTheSameBits() {
        const auto graph = explore(tableWorld(500, 8), {.threads = 2});
        const SolveSpec spec = sampleSpec(11);
        const Answer inMemory = solve(graph, spec);
        SolveSpec tight = spec;
        tight.memoryBudget = 1;
        SolveHooks hooks;
        hooks.spillFolder = path("");
        VERIFY_NONE(test::bitDifferences(*inMemory, *solve(graph, tight, hooks)));
        try {
            solve(graph, tight);
            QFAIL("fitted into one byte");
        } catch (const Error& e) {
            QCOMPARE(e.kind(), Error::Kind::Resource);
            QVERIFY(QByteArray(e.what()).contains("--memory"));
        }
    }

    void aSavedSolutionIsTheSameAgain() {
        const auto graph = explore(tableWorld(300, 5), {.threads = 2});
        for (const ValueStorage storage : {ValueStorage::Double, ValueStorage::Float}) {
            SolveSpec spec = sampleSpec(13);
            spec.storage = storage;
            const Answer solution = solve(graph, spec);
            QVERIFY(saveSolution(*solution, path("saved")));
            VERIFY_NONE(test::bitDifferences(*solution, *openSolution(graph, spec, path("saved"))));
        }
        const auto other = explore(tableWorld(301, 5), {.threads = 2});
        QVERIFY(isRefused(other, sampleSpec(13), path("saved")));
    }

    void aBrokenSolutionFileIsRefused() {
        const auto graph = explore(tableWorld(3, 3), {.threads = 1});
        const SolveSpec spec = sampleSpec(14);
        const Answer solution = solve(graph, spec);
        QVERIFY(saveSolution(*solution, path("whole")));
        std::ifstream in(path("whole"), std::ios::binary);
        const std::string whole{std::istreambuf_iterator<char>(in), {}};
        QVERIFY(whole.size() > 300 && whole.size() < 20'000);
        const auto write = [this](const std::string& content) {
            std::ofstream(path("broken"), std::ios::binary | std::ios::trunc) << content;
        };
        for (std::size_t i = 0; i < whole.size(); ++i) {
            std::string broken = whole;
            broken[i] = static_cast<char>(broken[i] ^ (1 << (i % 8)));
            write(broken);
            if (!isRefused(graph, spec, path("broken")))
                QFAIL(qPrintable(QString("byte %1 of %2").arg(i).arg(whole.size())));
        }
        for (std::size_t length = 0; length < whole.size(); ++length) {
            write(whole.substr(0, length));
            QVERIFY(isRefused(graph, spec, path("broken")));
        }
    }

    void aStopIsObeyedWithinASecond_data() {
        QTest::addColumn<int>("threads");
        QTest::addRow("1 thread") << 1;
        QTest::addRow("2 threads") << 2;
    }
    void aStopIsObeyedWithinASecond() {
        QFETCH(int, threads);
        const auto graph = explore(tableWorld(20'000, 400), {.threads = 2});
        std::stop_source source;
        std::atomic<int> reports{0};
        std::chrono::steady_clock::time_point asked;
        SolveHooks hooks;
        hooks.progress = [&](const Progress& progress) {
            if (++reports != 3) return;
            QCOMPARE(progress.phase, std::string("solve"));
            QCOMPARE(progress.unit, std::string("states"));
            QVERIFY(progress.done < progress.total);
            asked = std::chrono::steady_clock::now();
            source.request_stop();
        };
        const Answer solution =
            solve(graph, withThreads(sampleSpec(15), threads), hooks, source.get_token());
        const auto ended = std::chrono::steady_clock::now();
        QVERIFY(solution == nullptr);
        QVERIFY(reports >= 3);
        QVERIFY(ended - asked < test::latencyLimit(std::chrono::seconds(1)));
    }

    void statisticsTellTheWork() {
        const auto graph = explore(tableWorld(50, 4), {.threads = 1});
        SolveStatistics statistics;
        std::vector<int> steps;
        SolveHooks hooks;
        hooks.levelDone = [&](const SolveStatistics::Level& level) { steps.push_back(level.step); };
        const Answer solution = solve(graph, sampleSpec(16), hooks, {}, &statistics);
        QCOMPARE(steps, (std::vector<int>{4, 3, 2, 1, 0}));
        QCOMPARE(statistics.states, graph->counts().states);
        // 2 humans with 5 goals each.
        QCOMPARE(statistics.products, graph->counts().transitionEntries * 10);
        QCOMPARE(statistics.levels.size(), std::size_t{5});
        for (const SolveStatistics::Level& level : statistics.levels) {
            QCOMPARE(level.states, graph->levelSize(level.step));
            double sum = 0, least = 0, most = -1e300;
            for (std::int64_t k = 0; k < level.states; ++k) {
                const double v = solution->v_r({level.step, graph->levelMember(level.step, k)});
                sum += v;
                least = std::min(least, v);
                most = std::max(most, v);
            }
            QVERIFY(test::isClose(level.meanV_r, sum / static_cast<double>(level.states)));
            QCOMPARE(level.minV_r, least);
            QCOMPARE(level.maxV_r, most);
        }
    }

private:
    static bool isRefused(const std::shared_ptr<const StateGraph>& graph, const SolveSpec& spec,
                          const std::filesystem::path& file) {
        return refusedAsDamaged([&] { openSolution(graph, spec, file); });
    }

    std::filesystem::path path(const std::string& name) const {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

    QTemporaryDir m_folder;
};

ORRERY_TEST(SolveStorageTest)
#include "solve_storage_test.moc"
