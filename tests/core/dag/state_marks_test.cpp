#include "core/dag/state_marks.h"

#include <QTest>
#include <algorithm>
#include <set>

#include "tests/core/dag/sample_worlds.h"
#include "tests/support/test_program.h"
#include "tests/support/test_worlds.h"

using namespace orrery;

namespace {

std::vector<State> allStates(const StateGraph& graph) {
    std::vector<State> states;
    for (int step = 0; step < graph.numLevels(); ++step)
        for (std::int64_t k = 0; k < graph.levelSize(step); ++k)
            states.push_back({step, graph.levelMember(step, k)});
    return states;
}

std::set<ConfigIndex> successorsOf(const StateGraph& graph, State state) {
    std::set<ConfigIndex> next;
    if (state.step + 1 < graph.numLevels())
        for (ActionProfileIndex p = 0; p < graph.numProfiles(); ++p)
            for (const GraphOutcome& outcome : graph.outcomes(state.config, p))
                next.insert(outcome.successor);
    return next;
}

/// Descendants by a search over single states.
std::vector<State> descendants(const StateGraph& graph, State from) {
    std::set<std::pair<int, ConfigIndex>> found;
    std::vector<State> open{from};
    while (!open.empty()) {
        const State state = open.back();
        open.pop_back();
        for (const ConfigIndex next : successorsOf(graph, state))
            if (found.insert({state.step + 1, next}).second) open.push_back({state.step + 1, next});
    }
    std::vector<State> states;
    states.reserve(found.size());
    for (const auto& [step, config] : found) states.push_back({step, config});
    return states;
}

}  // namespace

class StateMarksTest : public QObject {
    Q_OBJECT

private:
    static void addWorlds() {
        QTest::addColumn<int>("index");
        const auto& worlds = test::sampleWorlds();
        for (int i = 0; i < static_cast<int>(worlds.size()); ++i)
            QTest::newRow(worlds[i].name.c_str()) << i;
    }

private Q_SLOTS:
    void markedStatesAreThoseThatAreFoundInAList_data() { addWorlds(); }
    void markedStatesAreThoseThatAreFoundInAList() {
        QFETCH(int, index);
        const auto& world = test::sampleWorlds()[index].world;
        const auto graph = explore(world, {.threads = 2});
        const std::string agent = world->agents()[0].name;
        for (const std::string& text :
             {std::string("true"), std::string("false"), agent + ".x > 0",
              std::string("not step = 1"), agent + ".at(1,1) or step = 2"}) {
            const Predicate predicate(*world, text);
            const StateSet found = findStates(*graph, predicate, INT64_MAX, 1);
            for (const int threads : {1, 3}) {
                const auto marks = markStates(*graph, predicate, threads);
                QCOMPARE(marks->total(), found.total);
                QCOMPARE(marks->first(INT64_MAX), found.states);
                QCOMPARE(
                    marks->first(2),
                    (std::vector<State>{found.states.begin(),
                                        found.states.begin() + std::min<std::ptrdiff_t>(
                                                                   2, std::ssize(found.states))}));
            }
        }
    }

    void whatIsKnownElsewhereIsAskedForEachState() {
        const auto& world = test::sampleWorlds().front().world;
        const auto graph = explore(world, {.threads = 1});
        FilterFields fields = stateFields(*world);
        fields.add({.name = "rest", .type = FilterType::Real});
        std::vector<FilterNode> compared;
        const Predicate predicate(*world, "rest > 0 and (rest < 2 or step = 1)", fields, compared);
        QCOMPARE(compared.size(), std::size_t{2});
        const auto marks = markStates(*graph, predicate, 2, {}, [&](State state) {
            std::uint64_t truths = 0;
            for (std::size_t k = 0; k < 2; ++k)
                if (compares(state.config % 3 * 1.0, compared[k].sign, *compared[k].right.number))
                    truths |= std::uint64_t{1} << k;
            return truths;
        });
        for (const State& state : allStates(*graph)) {
            const bool expected =
                state.config % 3 == 1 || (state.config % 3 == 2 && state.step == 1);
            QCOMPARE(marks->contains(state), expected);
        }
        QVERIFY(marks->total() > 0 && marks->total() < graph->counts().states);
    }

    void kinIsWhatASearchStateByStateFinds_data() { addWorlds(); }
    void kinIsWhatASearchStateByStateFinds() {
        QFETCH(int, index);
        const auto graph = explore(test::sampleWorlds()[index].world, {.threads = 2});
        const std::vector<State> states = allStates(*graph);
        for (const std::size_t at : {std::size_t{0}, states.size() / 3, states.size() - 1}) {
            const State centre = states[at];
            for (const int threads : {1, 3}) {
                const auto after = markDescendants(*graph, centre, threads);
                QCOMPARE(after->first(INT64_MAX), descendants(*graph, centre));
            }
            // A world of many states makes the search from every state slow: some will do.
            const auto before = markAncestors(*graph, centre, 2);
            for (std::size_t s = 0; s < states.size(); s += 1 + states.size() / 60) {
                const std::vector<State> below = descendants(*graph, states[s]);
                QCOMPARE(before->contains(states[s]),
                         std::ranges::find(below, centre) != below.end());
            }
        }
    }

    void theNextMarkIsFoundAcrossWords() {
        const auto graph = explore(test::sampleWorlds().front().world, {.threads = 1});
        const int step = graph->numLevels() - 1;
        StateMarks marks(*graph);
        const ConfigIndex a = graph->levelMember(step, 1);
        const ConfigIndex b = graph->levelMember(step, graph->levelSize(step) - 1);
        QVERIFY(b > a + 64);
        marks.insert({step, a});
        marks.insert({step, b});
        marks.recount();
        QCOMPARE(marks.total(), std::int64_t{2});
        QCOMPARE(marks.next(step, 0), a);
        QCOMPARE(marks.next(step, a + 1), b);
        QVERIFY(!marks.next(step, b + 1));
        QVERIFY(!marks.contains({step - 1, a}) && !marks.contains({step + 5, a}));
    }

    void aStopGivesNothing() {
        const auto& world = test::sampleWorlds().front().world;
        const auto graph = explore(world, {.threads = 1});
        std::stop_source stop;
        stop.request_stop();
        const Predicate predicate(*world, "true");
        QVERIFY(!markStates(*graph, predicate, 2, stop.get_token()));
        QVERIFY(!markDescendants(*graph, {0, 0}, 2, stop.get_token()));
        const int last = graph->numLevels() - 1;
        QVERIFY(!markAncestors(*graph, {last, graph->levelMember(last, 0)}, 2, stop.get_token()));
    }
};

ORRERY_TEST(StateMarksTest)
#include "state_marks_test.moc"
