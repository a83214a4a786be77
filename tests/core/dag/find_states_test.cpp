#include <QTest>
#include <chrono>

#include "core/base/error.h"
#include "core/bush/bush_world.h"
#include "core/dag/predicate.h"
#include "tests/core/dag/sample_worlds.h"
#include "tests/support/test_program.h"
#include "tests/support/test_worlds.h"
#include "tests/support/wait_until.h"

using namespace orrery;

namespace {

using Graph = std::shared_ptr<const StateGraph>;

/// Every state in order, asked one by one.
std::vector<State> oneByOne(const StateGraph& graph, const Predicate& predicate) {
    std::vector<State> found;
    std::vector<int> values(graph.world().variables().size());
    for (int step = 0; step < graph.numLevels(); ++step)
        for (ConfigIndex config = 0; config < graph.numConfigs(); ++config) {
            if (!graph.inLevel(step, config)) continue;
            graph.world().valuate(graph.configuration(config), values);
            if (predicate.holds(step, values)) found.push_back({step, config});
        }
    return found;
}

}  // namespace

class FindStatesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void statesOfATinyBushWorldAreFound() {
        BushWorldSpec spec;
        spec.map = {{"Ro", "2", "Hu"}};
        spec.capacity = 4;
        spec.maxSteps = 2;
        const auto graph = explore(std::make_shared<BushWorld>(spec), {.threads = 1});
        const auto total = [&](const char* text) {
            return findStates(*graph, Predicate(graph->world(), text), 100, 2).total;
        };
        // Step 1: nobody moved; the robot moved and left density 1; or the human moved.
        QCOMPARE(total("step = 0"), std::int64_t{1});
        QCOMPARE(total("step = 1"), std::int64_t{3});
        QCOMPARE(total("step = 1 and robot0.at(1,0)"), std::int64_t{1});
        QCOMPARE(total("step = 1 and robot0.at(1,0) and density_1_0 = 2"), std::int64_t{0});
        QCOMPARE(total("step = 1 and human0.in(0,0,1,0)"), std::int64_t{1});
        QCOMPARE(total("human0.at(0,0)"), std::int64_t{0});
        QCOMPARE(total("true"), graph->counts().states);
        QCOMPARE(total("false"), std::int64_t{0});
        const StateSet first = findStates(*graph, Predicate(graph->world(), "step = 0"), 9, 1);
        QCOMPARE(first.states, (std::vector<State>{{0, 0}}));
    }

    void everyWorldGivesTheStatesAskedOneByOne_data() {
        QTest::addColumn<int>("index");
        const auto& worlds = test::sampleWorlds();
        for (int i = 0; i < static_cast<int>(worlds.size()); ++i)
            QTest::newRow(worlds[i].name.c_str()) << i;
    }
    void everyWorldGivesTheStatesAskedOneByOne() {
        QFETCH(int, index);
        const auto& world = test::sampleWorlds()[index].world;
        const auto graph = explore(world, {.threads = 2});
        const std::string agent = world->agents()[0].name;
        for (const std::string& text :
             {std::string("true"), std::string("step >= 1"), agent + ".x > 0 and not step = 1",
              agent + ".at(1,1) or step = 2", agent + ".in(0,0,1,1)"}) {
            const Predicate predicate(*world, text);
            const std::vector<State> expected = oneByOne(*graph, predicate);
            for (const int threads : {1, 3}) {
                for (const std::int64_t limit : {std::int64_t{0}, std::int64_t{7}, INT64_MAX}) {
                    const StateSet found = findStates(*graph, predicate, limit, threads);
                    QCOMPARE(found.total, std::ssize(expected));
                    const auto length = std::min<std::int64_t>(limit, std::ssize(expected));
                    QCOMPARE(found.states,
                             (std::vector<State>{expected.begin(), expected.begin() + length}));
                }
            }
        }
    }

    void chunksOfALargeGraphAreJoinedInOrder() {
        const Graph graph = explore(ring(20'000), {.threads = 2});
        const Predicate predicate(graph->world(),
                                  "config >= 100 and (step = 999 or config = 5000)");
        const std::vector<State> expected = oneByOne(*graph, predicate);
        QVERIFY(expected.size() > 1000);
        for (const int threads : {1, 2, 4}) {
            const StateSet found = findStates(*graph, predicate, 1000, threads);
            QCOMPARE(found.total, std::ssize(expected));
            QCOMPARE(found.states, (std::vector<State>{expected.begin(), expected.begin() + 1000}));
        }
    }

    void aStopGivesNothingAndATotalOfMinusOne() {
        const Graph graph = explore(ring(20'000), {.threads = 2});
        const Predicate predicate(graph->world(), "true");
        std::stop_source source;
        source.request_stop();
        const auto begin = std::chrono::steady_clock::now();
        const StateSet found = findStates(*graph, predicate, 100, 2, source.get_token());
        const auto limit = test::latencyLimit(std::chrono::seconds(1));
        QVERIFY(std::chrono::steady_clock::now() - begin < limit);
        QCOMPARE(found.total, std::int64_t{-1});
        QVERIFY(found.states.empty());
    }

private:
    /// Each configuration leads to twice and four times its number: the levels are no ranges.
    static std::shared_ptr<const World> ring(int configs) {
        TableWorldSpec spec;
        spec.maxSteps = 1000;
        spec.agents = {tableAgent(AgentRole::Human, 0, 2)};
        spec.rows = {{}};
        for (int c = 0; c < configs; ++c) {
            spec.cells.push_back({c % 3});
            spec.rows[0].push_back(
                {{{1.0, (2 * c + 1) % configs}}, {{1.0, (4 * c + 1) % configs}}});
        }
        return std::make_shared<TableWorld>(spec);
    }
};

ORRERY_TEST(FindStatesTest)
#include "find_states_test.moc"
