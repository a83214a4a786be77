#include "core/dag/paths.h"

#include <QTest>
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/dag/neighbours.h"
#include "tests/core/dag/sample_worlds.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

using Key = std::pair<int, ConfigIndex>;

/// P(s'|s) when every joint action is equally likely, by the graph's own list of outcomes.
std::map<ConfigIndex, double> plainEdges(const StateGraph& graph, State state) {
    std::map<ConfigIndex, double> edges;
    if (state.step + 1 < graph.numLevels())
        for (ActionProfileIndex p = 0; p < graph.numProfiles(); ++p)
            for (const GraphOutcome& outcome : graph.outcomes(state.config, p))
                edges[outcome.successor] += outcome.probability / graph.numProfiles();
    return edges;
}

/// The probability of the best path to the last step, by recursion over all states.
double bestProbability(const StateGraph& graph, State state, std::map<Key, double>& known) {
    if (state.step + 1 == graph.numLevels()) return 1;
    const Key key{state.step, state.config};
    if (const auto found = known.find(key); found != known.end()) return found->second;
    double best = 0;
    for (const auto& [next, p] : plainEdges(graph, state))
        best = std::max(best, p * bestProbability(graph, {state.step + 1, next}, known));
    return known[key] = best;
}

/// Steps to the nearest goal, breadth first; -1 if there is no way.
int plainDistance(const StateGraph& graph, State from, const StateMarks& goals) {
    std::set<ConfigIndex> frontier{from.config};
    for (int step = from.step; step < graph.numLevels(); ++step) {
        std::set<ConfigIndex> next;
        for (const ConfigIndex config : frontier) {
            if (goals.contains({step, config})) return step - from.step;
            for (const auto& [to, p] : plainEdges(graph, {step, config})) next.insert(to);
        }
        frontier = std::move(next);
    }
    return -1;
}

}  // namespace

class PathsTest : public QObject {
    Q_OBJECT

private:
    static void addWorlds() {
        QTest::addColumn<int>("index");
        const auto& worlds = test::sampleWorlds();
        for (int i = 0; i < static_cast<int>(worlds.size()); ++i)
            QTest::newRow(worlds[i].name.c_str()) << i;
    }
    static std::shared_ptr<const StateGraph> graphOf(int index) {
        return explore(test::sampleWorlds()[index].world, {.threads = 2});
    }

private Q_SLOTS:
    void edgesAreTheWorldsOutcomesMerged_data() { addWorlds(); }
    void edgesAreTheWorldsOutcomesMerged() {
        QFETCH(int, index);
        const auto graph = graphOf(index);
        const EdgesOf any = edgesUnderAny(*graph);
        for (int step = 0; step < graph->numLevels(); ++step) {
            const State state{step, graph->levelMember(step, graph->levelSize(step) / 2)};
            const auto expected = plainEdges(*graph, state);
            const std::vector<WeightedState> edges = any(state);
            QCOMPARE(edges.size(), expected.size());
            for (const WeightedState& edge : edges) {
                QCOMPARE(edge.state.step, step + 1);
                QVERIFY(std::abs(edge.probability - expected.at(edge.state.config)) < 1e-12);
            }
            double sum = 0;
            for (const WeightedState& edge : edgesUnder(*graph, 0)(state)) sum += edge.probability;
            QVERIFY(step + 1 == graph->numLevels() ? sum == 0 : std::abs(sum - 1) < 1e-9);
        }
    }

    void predecessorsAreTheStatesThatLeadThere_data() { addWorlds(); }
    void predecessorsAreTheStatesThatLeadThere() {
        QFETCH(int, index);
        const auto graph = graphOf(index);
        for (int step = 0; step < graph->numLevels(); ++step) {
            const std::int64_t size = graph->levelSize(step);
            std::set<ConfigIndex> targets;
            for (const std::int64_t k : {std::int64_t{0}, size / 2, size - 1}) {
                const ConfigIndex one[] = {graph->levelMember(step, k)};
                targets.insert(one[0]);
                QCOMPARE(*predecessors(*graph, step, one, 2), before(*graph, step, {one[0]}));
            }
            const std::vector<ConfigIndex> several(targets.begin(), targets.end());
            for (const int threads : {1, 3})
                QCOMPARE(*predecessors(*graph, step, several, threads),
                         before(*graph, step, targets));
        }
    }

    void aNeighbourhoodIsEveryEdgeWithinItsHops_data() { addWorlds(); }
    void aNeighbourhoodIsEveryEdgeWithinItsHops() {
        QFETCH(int, index);
        const auto graph = graphOf(index);
        const int step = graph->numLevels() / 2;
        const State centre{step, graph->levelMember(step, graph->levelSize(step) / 2)};
        const EdgesOf edges = edgesUnderAny(*graph);
        NeighbourhoodSpec spec;
        spec.forward = spec.backward = 2;
        spec.maxStates = 100'000;
        const auto found = neighbourhood(*graph, centre, spec, edges);
        QVERIFY(found->isComplete);
        std::set<Key> states{{centre.step, centre.config}};
        for (const Fan& fan : found->fans) {
            QCOMPARE(fan.numLeftOut, std::int64_t{0});
            QVERIFY(states.contains({fan.centre.step, fan.centre.config}));
            std::map<ConfigIndex, double> expected;
            if (fan.isForward)
                expected = plainEdges(*graph, fan.centre);
            else
                for (const ConfigIndex c : before(*graph, fan.centre.step, {fan.centre.config}))
                    expected[c] =
                        plainEdges(*graph, {fan.centre.step - 1, c}).at(fan.centre.config);
            QCOMPARE(fan.ends.size(), expected.size());
            double last = 2;
            for (const WeightedState& end : fan.ends) {
                QVERIFY(std::abs(end.probability - expected.at(end.state.config)) < 1e-12);
                QVERIFY(end.probability <= last);
                last = end.probability;
                states.insert({end.state.step, end.state.config});
            }
        }
        QCOMPARE(found->numStates, std::ssize(states));
    }

    void limitsCutANeighbourhoodAndSaySo() {
        const auto graph = graphOf(0);
        const EdgesOf edges = edgesUnderAny(*graph);
        NeighbourhoodSpec spec;
        spec.forward = 2;
        spec.backward = 0;
        const auto whole = neighbourhood(*graph, {0, 0}, spec, edges);
        QVERIFY(whole->numStates > 6);
        spec.maxStates = 5;
        const auto few = neighbourhood(*graph, {0, 0}, spec, edges);
        QCOMPARE(few->numStates, std::int64_t{5});
        QVERIFY(!few->isComplete);
        spec.maxStates = 5000;
        spec.maxEnds = 2;
        spec.forward = 1;
        const auto narrow = neighbourhood(*graph, {0, 0}, spec, edges);
        QCOMPARE(narrow->fans.front().ends.size(), std::size_t{2});
        QCOMPARE(narrow->fans.front().numLeftOut,
                 std::ssize(whole->fans.front().ends) - std::ptrdiff_t{2});
        QVERIFY(narrow->isComplete);
        QCOMPARE(narrow->fans.front().ends[0], whole->fans.front().ends[0]);
    }

    void theMostProbablePathIsTheBestOfAll_data() { addWorlds(); }
    void theMostProbablePathIsTheBestOfAll() {
        QFETCH(int, index);
        const auto graph = graphOf(index);
        const EdgesOf edges = edgesUnderAny(*graph);
        std::map<Key, double> known;
        for (const State from :
             {State{0, 0},
              State{graph->numLevels() / 2, graph->levelMember(graph->numLevels() / 2, 0)}}) {
            const auto path = mostProbablePath(*graph, from, edges, 1'000'000);
            QVERIFY(path->isProven);
            const double best = bestProbability(*graph, from, known);
            QVERIFY2(std::abs(path->probability - best) <= 1e-12 * best,
                     qPrintable(QStringLiteral("%1 %2").arg(path->probability).arg(best)));
            QCOMPARE(path->states.front().state, from);
            QCOMPARE(path->states.back().state.step, graph->numLevels() - 1);
            double product = 1;
            for (std::size_t i = 1; i < path->states.size(); ++i) {
                const auto next = plainEdges(*graph, path->states[i - 1].state);
                const double p = next.at(path->states[i].state.config);
                QVERIFY(std::abs(path->states[i].probability - p) < 1e-12);
                product *= p;
            }
            QVERIFY(std::abs(product - path->probability) <= 1e-12 * best);
        }
    }

    void aSearchThatGivesUpReturnsTheLikeliestSingleSteps() {
        const auto graph = graphOf(0);
        const auto path = mostProbablePath(*graph, {0, 0}, edgesUnderAny(*graph), 0);
        QVERIFY(!path->isProven);
        State state{0, 0};
        for (const WeightedState& step : path->states) {
            QCOMPARE(step.state, state);
            const auto edges = plainEdges(*graph, state);
            if (edges.empty()) break;
            const auto best =
                std::ranges::max_element(edges, {}, [](const auto& edge) { return edge.second; });
            state = {state.step + 1, best->first};
        }
        QCOMPARE(std::ssize(path->states), std::ptrdiff_t{graph->numLevels()});
    }

    void theShortestPathHasTheFewestStepsAndReallyLeadsThere_data() { addWorlds(); }
    void theShortestPathHasTheFewestStepsAndReallyLeadsThere() {
        QFETCH(int, index);
        const auto graph = graphOf(index);
        const World& world = graph->world();
        int numFound = 0;
        for (const int modulus : {2, 7, 23}) {
            StateMarks goals(*graph);
            for (int step = 0; step < graph->numLevels(); ++step)
                for (std::int64_t k = 0; k < graph->levelSize(step); ++k)
                    if (const ConfigIndex c = graph->levelMember(step, k);
                        c % modulus == static_cast<ConfigIndex>(modulus - 1))
                        goals.insert({step, c});
            goals.recount();
            for (const int threads : {1, 3}) {
                const auto path = shortestPath(*graph, {0, 0}, goals, threads);
                const int distance = plainDistance(*graph, {0, 0}, goals);
                QCOMPARE(path->isFound, distance >= 0);
                if (!path->isFound) continue;
                ++numFound;
                QCOMPARE(std::ssize(path->states) - 1, std::ptrdiff_t{distance});
                QVERIFY(goals.contains(path->states.back()));
                for (std::size_t i = 0; i < path->profiles.size(); ++i) {
                    double p = 0;
                    for (const GraphOutcome& outcome :
                         graph->outcomes(path->states[i].config, path->profiles[i]))
                        if (outcome.successor == path->states[i + 1].config)
                            p = outcome.probability;
                    QCOMPARE(path->probabilities[i], p);
                    QVERIFY(p > 0);
                }
            }
        }
        QVERIFY(numFound > 0 || graph->numConfigs() < 7);
        QVERIFY(world.maxSteps() + 1 == graph->numLevels());
    }

    void aStopGivesNothing() {
        const auto graph = graphOf(0);
        std::stop_source stop;
        stop.request_stop();
        const EdgesOf edges = edgesUnderAny(*graph);
        const ConfigIndex target[] = {graph->levelMember(1, 0)};
        QVERIFY(!predecessors(*graph, 1, target, 1, stop.get_token()));
        QVERIFY(!neighbourhood(*graph, {0, 0}, {}, edges, stop.get_token()));
        QVERIFY(!mostProbablePath(*graph, {0, 0}, edges, 1000, stop.get_token()));
        QVERIFY(!shortestPath(*graph, {0, 0}, StateMarks(*graph), 1, stop.get_token()));
    }

private:
    static std::vector<ConfigIndex> before(const StateGraph& graph, int step,
                                           const std::set<ConfigIndex>& targets) {
        std::vector<ConfigIndex> found;
        for (std::int64_t k = 0; step > 0 && k < graph.levelSize(step - 1); ++k) {
            const ConfigIndex config = graph.levelMember(step - 1, k);
            const auto edges = plainEdges(graph, {step - 1, config});
            if (std::ranges::any_of(targets, [&](ConfigIndex t) { return edges.contains(t); }))
                found.push_back(config);
        }
        return found;
    }
};

ORRERY_TEST(PathsTest)
#include "paths_test.moc"
