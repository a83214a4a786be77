#include "core/dag/state_graph.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <fstream>
#include <stop_token>
#include <thread>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/bush/bush_world.h"
#include "core/grid/grid_world.h"
#include "tests/core/dag/file_content.h"
#include "tests/core/dag/sample_worlds.h"
#include "tests/support/graph_checks.h"
#include "tests/support/test_program.h"
#include "tests/support/test_worlds.h"
#include "tests/support/wait_until.h"

using namespace orrery;

namespace {

using Graph = std::shared_ptr<const StateGraph>;

#define VERIFY_NONE(mismatches)                                                 \
    do {                                                                        \
        const Mismatches found = mismatches;                                    \
        if (!found.empty()) {                                                   \
            for (const std::string& line : found) qWarning("%s", line.c_str()); \
            QFAIL("see the mismatches above");                                  \
        }                                                                       \
    } while (false)

/// Some hundred thousand configurations with 4 joint actions of up to 3 outcomes.
std::shared_ptr<const World> largeWorld() {
    static const auto kMade = [] {
        Rng rng(99);
        RandomTableShape shape;
        shape.configs = 40'000;
        shape.maxSteps = 12;
        return std::make_shared<TableWorld>(randomTableWorld(shape, rng));
    }();
    return kMade;
}

/// A bush world with 125 joint actions.
std::shared_ptr<const World> bushWorld(int maxSteps) {
    BushWorldSpec spec;
    spec.map = {{"Ro", "9", "9", "9", "9"}, {"9", "9", "Hu", "9", "9"}, {"Hu", "9", "9", "9", "9"}};
    spec.capacity = 9;
    spec.maxSteps = maxSteps;
    return std::make_shared<BushWorld>(spec);
}

void write(const std::filesystem::path& file, const std::string& content) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

}  // namespace

class StateGraphTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void everyWorldGivesAConsistentGraph_data() { listWorlds(); }
    void everyWorldGivesAConsistentGraph() {
        const auto graph = explore(world(), {.threads = 2});
        QCOMPARE(graph->isFolded(), !world()->dependsOnStep());
        VERIFY_NONE(inconsistencies(*graph));
        const auto initial = graph->configuration(0);
        QCOMPARE(Configuration(initial.begin(), initial.end()), world()->initialConfiguration());
    }

    void everyWorldGivesWhatAPlainSearchFinds_data() { listWorlds(); }
    void everyWorldGivesWhatAPlainSearchFinds() {
        VERIFY_NONE(differencesFromPlainSearch(*explore(world(), {.threads = 1})));
    }

    void theNumberOfThreadsChangesNothing_data() { listWorlds(); }
    void theNumberOfThreadsChangesNothing() {
        for (const bool unrolled : {false, true}) {
            const auto one = explore(world(), {.threads = 1, .unrolled = unrolled});
            for (const int threads : {2, 3, 7})
                VERIFY_NONE(graphDifferences(
                    *one, *explore(world(), {.threads = threads, .unrolled = unrolled})));
        }
    }

    void theNumberOfThreadsChangesNothingInALargeWorld() {
        const auto one = explore(largeWorld(), {.threads = 1});
        QVERIFY2(one->numConfigs() > 30'000, qPrintable(QString::number(one->numConfigs())));
        for (const int threads : {2, 5})
            VERIFY_NONE(graphDifferences(*one, *explore(largeWorld(), {.threads = threads})));
    }

    void theUnrolledGraphMeansTheSame_data() { listWorlds(); }
    void theUnrolledGraphMeansTheSame() {
        const auto folded = explore(world(), {.threads = 2});
        const auto unrolled = explore(world(), {.threads = 2, .unrolled = true});
        QVERIFY(!unrolled->isFolded());
        VERIFY_NONE(inconsistencies(*unrolled));
        VERIFY_NONE(meaningDifferences(*folded, *unrolled));
        for (int step = 0; step < unrolled->numLevels(); ++step)
            QVERIFY(unrolled->levelIsRange(step));
        QCOMPARE(std::int64_t{unrolled->numConfigs()}, folded->counts().states);
    }

    void aTinyGraphHasItsExactShape() {
        // 0 -> {0, 1}, 1 -> 2, 2 -> 2 in three steps.
        TableWorldSpec spec;
        spec.maxSteps = 3;
        spec.agents = {tableAgent(AgentRole::Human, 0, 2)};
        spec.cells = {{0}, {1}, {2}};
        spec.rows = {
            {{{{1.0, 0}}, {{0.25, 0}, {0.75, 1}}}, {{{1, 2}}, {{1, 2}}}, {{{1, 2}}, {{1, 2}}}}};
        const auto graph = explore(std::make_shared<TableWorld>(spec), {.threads = 1});
        QCOMPARE(graph->numConfigs(), ConfigIndex{3});
        QCOMPARE(graph->numLevels(), 4);
        const std::int64_t sizes[] = {1, 2, 3, 3};
        for (int step = 0; step < 4; ++step) QCOMPARE(graph->levelSize(step), sizes[step]);
        QCOMPARE(graph->counts().states, std::int64_t{9});
        QCOMPARE(graph->counts().actionRows, std::int64_t{12});
        // Entries: 3 for 0, 2 for 1, 2 for 2; levels {0}, {0, 1}, {0, 1, 2}.
        QCOMPARE(graph->counts().transitionEntries, std::int64_t{3 + 5 + 7});
        QCOMPARE(graph->numEntries(), std::int64_t{7});
        const auto outcomes = graph->outcomes(0, 1);
        QCOMPARE(outcomes.size(), std::size_t{2});
        QCOMPARE(outcomes[0].probability, 0.75);
        QCOMPARE(outcomes[0].successor, ConfigIndex{1});
        QCOMPARE(outcomes[1].probability, 0.25);
        QCOMPARE(outcomes[1].successor, ConfigIndex{0});
        QVERIFY(!graph->find(std::vector<std::uint64_t>{3}));
    }

    void aWorldWithoutStepsIsItsInitialState() {
        TableWorldSpec spec;
        spec.maxSteps = 0;
        spec.agents = {tableAgent(AgentRole::Human, 0, 2)};
        spec.cells = {{0}, {1}};
        spec.rows = {{{{{1.0, 1}}, {{1.0, 1}}}, {{{1.0, 0}}, {{1.0, 0}}}}};
        const auto graph = explore(std::make_shared<TableWorld>(spec), {.threads = 2});
        QCOMPARE(graph->numConfigs(), ConfigIndex{1});
        QCOMPARE(graph->numLevels(), 1);
        QCOMPARE(graph->numEntries(), std::int64_t{0});
        QVERIFY(!graph->isExpanded(0));
        QVERIFY(graph->outcomes(0, 0).empty());
        VERIFY_NONE(inconsistencies(*graph));
    }

    void aWorldThatDependsOnTheStepIsUnrolled() {
        // Step 0 goes from 0 to 1 or 2; step 1 goes back to 0; so 1 and 2 exist in step 1 only.
        TableWorldSpec spec;
        spec.maxSteps = 3;
        spec.agents = {tableAgent(AgentRole::Human, 0, 2)};
        spec.cells = {{0}, {1}, {2}};
        const TableWorldSpec::Rows away = {
            {{{1.0, 1}}, {{1.0, 2}}}, {{{1.0, 1}}, {{1.0, 1}}}, {{{1.0, 2}}, {{1.0, 2}}}};
        const TableWorldSpec::Rows back(3, {{{1.0, 0}}, {{1.0, 0}}});
        spec.rows = {away, back, away};
        const auto graph = explore(std::make_shared<TableWorld>(spec), {.threads = 2});
        QVERIFY(!graph->isFolded());
        const std::int64_t sizes[] = {1, 2, 1, 2};
        for (int step = 0; step < 4; ++step) QCOMPARE(graph->levelSize(step), sizes[step]);
        QCOMPARE(graph->numConfigs(), ConfigIndex{6});
        VERIFY_NONE(inconsistencies(*graph));
        VERIFY_NONE(differencesFromPlainSearch(*graph));
    }

    void aSavedGraphIsTheSameAgain_data() { listWorlds(); }
    void aSavedGraphIsTheSameAgain() {
        const auto graph = explore(world(), {.threads = 2});
        QVERIFY(saveGraph(*graph, path("saved.graph")));
        const auto opened = openGraph(world(), path("saved.graph"));
        VERIFY_NONE(graphDifferences(*graph, *opened));
        VERIFY_NONE(inconsistencies(*opened));
        QCOMPARE(opened->contentHash(), graph->contentHash());
        QVERIFY(saveGraph(*opened, path("again.graph")));
        QCOMPARE(test::contentOf(path("again.graph")), test::contentOf(path("saved.graph")));
    }

    void aGraphSavedUnrolledOpensUnrolled_data() { listWorlds(); }
    void aGraphSavedUnrolledOpensUnrolled() {
        const auto graph = explore(world(), {.threads = 2, .unrolled = true});
        QVERIFY(!graph->isFolded());
        QVERIFY(saveGraph(*graph, path("unrolled.graph")));
        const auto opened = openGraph(world(), path("unrolled.graph"));
        QVERIFY(!opened->isFolded());
        VERIFY_NONE(graphDifferences(*graph, *opened));
        VERIFY_NONE(inconsistencies(*opened));
        QCOMPARE(opened->contentHash(), graph->contentHash());
    }

    void openingReportsItselfAndObeysAStop() {
        QVERIFY(saveGraph(*explore(smallWorld(), {.threads = 1}), path("whole.graph")));
        std::stop_source source;
        int reports = 0;
        const auto opened = openGraph(smallWorld(), path("whole.graph"), source.get_token(),
                                      [&](const Progress& p) {
                                          QCOMPARE(p.phase, std::string("open"));
                                          QVERIFY(p.done > 0 && p.done < p.total);
                                          ++reports;
                                          source.request_stop();
                                      });
        QVERIFY(opened == nullptr);
        QCOMPARE(reports, 1);
    }

    void theSavedGraphOfAnotherWorldIsRefused() {
        const auto first = test::sampleWorlds().at(0).world;
        const auto second = test::sampleWorlds().at(1).world;
        QVERIFY(saveGraph(*explore(first, {.threads = 1}), path("first.graph")));
        QVERIFY(isRefused(second, path("first.graph")));
        QVERIFY(!isRefused(first, path("first.graph")));
    }

    void aFileThatIsNotThereIsAnError() {
        QVERIFY_THROWS_EXCEPTION(Error, openGraph(smallWorld(), path("nothing.graph")));
    }

    void everyFlippedBitIsNoticed() {
        QVERIFY(saveGraph(*explore(smallWorld(), {.threads = 1}), path("whole.graph")));
        const std::string whole = test::contentOf(path("whole.graph"));
        QVERIFY(whole.size() > 500 && whole.size() < 20'000);
        const auto world = smallWorld();
        for (std::size_t i = 0; i < whole.size(); ++i) {
            std::string broken = whole;
            broken[i] = static_cast<char>(broken[i] ^ (1 << (i % 8)));
            write(path("broken.graph"), broken);
            if (!isRefused(world, path("broken.graph")))
                QFAIL(qPrintable(QString("byte %1 of %2").arg(i).arg(whole.size())));
        }
    }

    void everyTruncationIsNoticed() {
        QVERIFY(saveGraph(*explore(smallWorld(), {.threads = 1}), path("whole.graph")));
        const std::string whole = test::contentOf(path("whole.graph"));
        const auto world = smallWorld();
        for (std::size_t length = 0; length < whole.size(); ++length) {
            write(path("short.graph"), whole.substr(0, length));
            if (!isRefused(world, path("short.graph")))
                QFAIL(qPrintable(
                    QString("%1 of %2 bytes were read as if whole").arg(length).arg(whole.size())));
        }
        write(path("long.graph"), whole + '\0');
        QVERIFY(isRefused(world, path("long.graph")));
    }

    void aBudgetThatIsTooSmallEndsWithAnEstimate() {
        try {
            explore(largeWorld(), {.threads = 2, .memoryBudget = 1 << 20});
            QFAIL("fitted into one MiB");
        } catch (const Error& e) {
            const QByteArray text = e.what();
            QCOMPARE(e.kind(), Error::Kind::Resource);
            QVERIFY2(text.contains("budget is 1 MiB"), text);
            QVERIFY2(text.contains("--memory") && text.contains("max_steps"), text);
            QVERIFY2(QRegularExpression("will need [0-9]+ MiB").match(text).hasMatch(), text);
        }
    }

    /// A million joint actions, with up to 3^10 outcomes each.
    static std::shared_ptr<const World> crowdedWorld() {
        GridWorldSpec spec;
        spec.map.assign(12, "We..Un..We");
        spec.map.front() = spec.map.back() = "WeWeWeWeWe";
        for (std::size_t y = 1; y < 11; ++y) spec.map[y].replace(2, 2, y < 10 ? "Ay" : "Ae");
        spec.possibleGoals = {{1, 1, 1, 1, false}, {3, 1, 3, 1, false}};
        spec.maxSteps = 4;
        return makeWorld(spec);
    }

    void whatOneStepLeadsToKeepsToTheBudget() {
        constexpr std::int64_t kBudget = 64 << 20;
        const auto world = crowdedWorld();
        const std::uint64_t before = residentBytes();
        try {
            explore(world, {.threads = 2, .memoryBudget = kBudget});
            QFAIL("fitted into 64 MiB");
        } catch (const Error& e) {
            const QByteArray text = e.what();
            QCOMPARE(e.kind(), Error::Kind::Resource);
            QVERIFY2(text.contains("1048576 joint actions") && text.contains("64 MiB"), text);
        }
        QVERIFY2(residentBytes() < before + 8 * kBudget,
                 QByteArray::number(static_cast<qulonglong>(residentBytes() - before)));
    }

    void oneStepOfManyJointActionsIsStoppedWithinASecond() {
        std::stop_source source;
        const auto world = crowdedWorld();
        std::chrono::steady_clock::time_point asked;
        std::jthread asks([&] {
            // Must wait for time: it is stopped in the middle of a step.
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            asked = std::chrono::steady_clock::now();
            source.request_stop();
        });
        const auto graph = explore(world, {.threads = 2}, source.get_token());
        const auto ended = std::chrono::steady_clock::now();
        asks.join();
        QVERIFY(graph == nullptr);
        QVERIFY(ended - asked < test::latencyLimit(std::chrono::seconds(1)));
    }

    void moreConfigurationsThanWantedAreGivenUp() {
        const auto world = smallWorld();
        const std::int64_t number = explore(world, {.threads = 1})->numConfigs();
        QVERIFY(explore(world, {.threads = 2, .maxConfigs = number}));
        QVERIFY(!explore(world, {.threads = 2, .maxConfigs = number - 1}));
    }

    void aStopIsObeyedWithinASecond_data() {
        QTest::addColumn<int>("threads");
        QTest::addRow("1 thread") << 1;
        QTest::addRow("2 threads") << 2;
    }
    void aStopIsObeyedWithinASecond() {
        QFETCH(int, threads);
        std::stop_source source;
        std::chrono::steady_clock::time_point asked;
        int reports = 0;
        const auto graph = explore(bushWorld(40), {.threads = threads}, source.get_token(),
                                   [&](const Progress& progress) {
                                       QCOMPARE(progress.phase, std::string("explore"));
                                       if (++reports != 5) return;
                                       asked = std::chrono::steady_clock::now();
                                       source.request_stop();
                                   });
        const auto ended = std::chrono::steady_clock::now();
        QVERIFY(graph == nullptr);
        QVERIFY(reports >= 5);
        QVERIFY(ended - asked < test::latencyLimit(std::chrono::seconds(1)));
    }

    void aStopBeforeTheBeginningGivesNothing() {
        std::stop_source source;
        source.request_stop();
        QVERIFY(explore(smallWorld(), {.threads = 2}, source.get_token()) == nullptr);
        const auto graph = explore(smallWorld(), {.threads = 2});
        QVERIFY(!saveGraph(*graph, path("stopped.graph"), source.get_token()));
        QVERIFY(!std::filesystem::exists(path("stopped.graph")));
    }

    void storedBytesPerEntryStayBelowTen() {
        const auto graph = explore(bushWorld(6), {.threads = 2});
        const double each =
            static_cast<double>(graph->storedBytes()) / static_cast<double>(graph->numEntries());
        QVERIFY2(each < 10, qPrintable(QString::number(each)));
    }

private:
    static void listWorlds() {
        QTest::addColumn<int>("index");
        const auto& worlds = test::sampleWorlds();
        for (int i = 0; i < static_cast<int>(worlds.size()); ++i)
            QTest::newRow(worlds[i].name.c_str()) << i;
    }
    static std::shared_ptr<const World> world() {
        QFETCH(int, index);
        return test::sampleWorlds()[index].world;
    }
    static std::shared_ptr<const World> smallWorld() {
        Rng rng(1);
        RandomTableShape shape;
        shape.configs = 6;
        shape.maxSteps = 4;
        return std::make_shared<TableWorld>(randomTableWorld(shape, rng));
    }

    static bool isRefused(const std::shared_ptr<const World>& world,
                          const std::filesystem::path& file) {
        return refusedAsDamaged([&] { openGraph(world, file); });
    }

    std::filesystem::path path(const std::string& name) const {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

    QTemporaryDir m_folder;
};

ORRERY_TEST(StateGraphTest)
#include "state_graph_test.moc"
