#include <QTest>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "core/base/error.h"
#include "core/files/world_file.h"
#include "core/solve/explain.h"
#include "core/solve/explain_reach.h"
#include "core/solve/explain_spread.h"
#include "tests/core/solve/solve_checks.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"
#include "tests/support/test_worlds.h"

using namespace orrery;
using orrery::test::kInfinity;

namespace {

using Kind = ValueKind;
using Answer = std::shared_ptr<const Solution>;

const std::filesystem::path kFolder = sourcePath("resources/worlds");

/// Every quantity that a state can have.
std::vector<ValueOf> quantitiesOf(const World& world) {
    std::vector<ValueOf> list;
    for (const ValueKindFacts& facts : kValueKinds)
        for (const ValueOf& each : valuesOfKind(world, facts.kind)) list.push_back(each);
    return list;
}

struct Found {
    std::map<Kind, int> explained;
    double worst = 0;  ///< relative difference of what is kept in double
};

/// Explains everything in a state and adds up again what is told.
void explainAll(const Explainer& explainer, State state, Found& found) {
    for (const ValueOf& quantity : quantitiesOf(explainer.solution().world())) {
        const auto shown = valueOf(explainer.solution(), state, quantity);
        if (!shown) {
            QVERIFY_THROWS_EXCEPTION(Error, explainer.explain(state, quantity));
            continue;
        }
        const Explanation e = *explainer.explain(state, quantity, 1u << 30);
        const QByteArray where =
            QByteArray::fromStdString(explainer.solution().world().name()) + " step " +
            QByteArray::number(state.step) + " config " + QByteArray::number(state.config) +
            " kind " + QByteArray::number(static_cast<int>(quantity.kind)) + ": " +
            QByteArray::number(e.result, 'g', 17) + " != " + QByteArray::number(*shown, 'g', 17);
        QCOMPARE(e.shown, *shown);
        QVERIFY2(e.agrees, where);
        QVERIFY(!e.formula.empty() && !e.source.empty());
        if (e.tolerance == 1e-12) found.worst = std::max(found.worst, e.difference);
        double sum = 0, probability = 0;
        bool hasSuccessors = false;
        for (const ExplainedTerm& term : e.terms) {
            sum += term.product;
            probability += term.weight;
            hasSuccessors = hasSuccessors || term.successor;
        }
        QVERIFY(std::abs(sum - e.sum) <= 1e-12 * std::abs(sum));
        if (hasSuccessors) QVERIFY(std::abs(probability - 1) < 1e-12);
        ++found.explained[quantity.kind];
    }
}

/// States of every level: the first, the last and some between.
std::vector<State> someStates(const StateGraph& graph, std::int64_t perLevel) {
    std::vector<State> states;
    for (int t = 0; t < graph.numLevels(); ++t) {
        const std::int64_t size = graph.levelSize(t);
        const std::int64_t n = std::min(size, perLevel);
        for (std::int64_t k = 0; k < n; ++k)
            states.push_back({t, graph.levelMember(t, n == 1 ? 0 : k * (size - 1) / (n - 1))});
    }
    return states;
}

Found explainSome(const Answer& solution, std::int64_t perLevel) {
    Found found;
    const Explainer explainer(solution);
    for (const State state : someStates(solution->graph(), perLevel))
        explainAll(explainer, state, found);
    return found;
}

std::shared_ptr<const StateGraph> exampleGraph(const std::string& name, int steps) {
    WorldSpec spec = requireSpec(readWorldFile(kFolder / (name + ".yaml")));
    spec->maxSteps = std::min(spec->maxSteps, steps);
    return explore(makeWorld(spec), {.threads = 2});
}

}  // namespace

/// The sums behind a solution's numbers.
class ExplainTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sumsAgreeInEveryExample_data() {
        QTest::addColumn<QString>("name");
        for (const auto& entry : std::filesystem::directory_iterator(kFolder))
            if (entry.path().extension() == ".yaml")
                QTest::newRow(entry.path().stem().c_str())
                    << QString::fromStdString(entry.path().stem().string());
    }
    void sumsAgreeInEveryExample() {
        QFETCH(QString, name);
        const auto graph = exampleGraph(name.toStdString(), 4);
        const Found found = explainSome(solve(graph, {}), 2);
        QVERIFY(found.explained.size() == 9);
        qInfo("worst relative difference %.1e", found.worst);
        QVERIFY(found.worst <= 1e-12);
    }

    void sumsAgreeWithDurationsRulesAndRandomParameters() {
        Rng rng(7);
        Found all;
        for (int round = 0; round < 40; ++round) {
            RandomTableShape shape;
            shape.humans = 1 + round % 3;
            shape.robots = round % 4 == 3 ? 2 : 1;
            shape.others = round % 5 == 4 ? 1 : 0;
            shape.durations = round % 2 == 1;
            shape.byStep = round % 3 == 2;
            const auto world = std::make_shared<TableWorld>(randomTableWorld(shape, rng));
            SolveSpec spec = test::randomSpec(rng);
            spec.storage = ValueStorage::Double;
            test::addRandomRules(*world, spec, rng);
            const Answer solution = solve(explore(world, {.threads = 1}), spec);
            const Found found = explainSome(solution, 4);
            all.worst = std::max(all.worst, found.worst);
        }
        qInfo("worst relative difference %.1e", all.worst);
    }

    void infiniteBetasHaveTheSameTies() {
        Rng rng(8);
        for (int round = 0; round < 20; ++round) {
            RandomTableShape shape;
            shape.humans = 2;
            shape.dyadic = true;  // so that there are ties
            shape.durations = round % 2 == 1;
            SolveSpec spec;
            spec.beta_h = kInfinity;
            spec.beta_r = kInfinity;
            spec.optimistic = round % 3 == 0;
            const auto world = std::make_shared<TableWorld>(randomTableWorld(shape, rng));
            explainSome(solve(explore(world, {.threads = 1}), spec), 6);
        }
        SolveSpec spec;
        spec.beta_h = kInfinity;
        explainSome(solve(exampleGraph("coffee_break", 5), spec), 4);
    }

    void narrowStorageHasItsOwnTolerance() {
        for (const ValueStorage storage : {ValueStorage::Float, ValueStorage::Half}) {
            SolveSpec spec;
            spec.storage = storage;
            const Answer solution = solve(explore(test::tableWorld(50, 5), {.threads = 1}), spec);
            const Found found = explainSome(solution, 6);
            QVERIFY(found.worst <= 1e-12);
            const Explainer explainer(solution);
            double worst = 0;
            for (const State state : someStates(solution->graph(), 6))
                for (int g = 0; state.step < 4 && g < 5; ++g) {
                    const Explanation stored =
                        *explainer.explain(state, {.kind = Kind::V_h_e, .human = 0, .goal = g});
                    QVERIFY(stored.tolerance > 1e-8);
                    worst = std::max(worst, stored.difference);
                }
            QVERIFY(worst > 1e-10);  // they are rounded indeed
        }
    }

    void phaseOneAloneHasNoRobotValues() {
        SolveSpec spec;
        spec.phase1Only = true;
        const Found found = explainSome(solve(exampleGraph("first_steps", 4), spec), 3);
        QCOMPARE(found.explained.size(), std::size_t{3});
    }

    void aCallbacksBeliefsAreAskedAgain() {
        Rng rng(9);
        const auto world = std::make_shared<TableWorld>(
            randomTableWorld({.humans = 2, .actions = 3, .goals = 2}, rng));
        SolveHooks hooks;
        hooks.believedOthers = [](State, int, int own) {
            return own == 0 ? std::vector<double>{1, 0, 0} : std::vector<double>{0.25, 0.25, 0.5};
        };
        const Answer solution = solve(explore(world, {.threads = 1}), {}, hooks);
        Found found;
        explainAll(Explainer(solution, hooks.believedOthers), {0, 0}, found);
        // Without it the check fails, as it must.
        const Explainer blind(solution);
        int disagreeing = 0;
        for (const State state : someStates(solution->graph(), 5))
            for (int h = 0; h < 2; ++h)
                for (int g = 0; g < 2; ++g)
                    disagreeing +=
                        !blind.explain(state, {.kind = Kind::V_h, .human = h, .goal = g})->agrees;
        QVERIFY(disagreeing > 0);
    }

    void oneRobotsActionIsAddedUpByHand() {
        // One robot, one human; the human's single action leads to configuration 1 or 2.
        TableWorldSpec spec;
        spec.maxSteps = 1;
        spec.agents = {tableAgent(AgentRole::Human, 0, 1), tableAgent(AgentRole::Robot, 0, 1)};
        spec.cells = {{0, 1}, {0, 1}, {2, 1}};
        spec.rows = {{{{{0.25, 1}, {0.75, 2}}}, {{{1, 1}}}, {{{1, 2}}}}};
        spec.goals = {{.agent = 0, .goals = {{2, 0, 2, 0}}, .weights = {0.5}}};
        SolveSpec solveSpec;
        solveSpec.terminal_v_r = -2;
        const Answer solution =
            solve(explore(std::make_shared<TableWorld>(spec), {.threads = 1}), solveSpec);
        const Explainer explainer(solution);
        const Explanation q = *explainer.explain({0, 0}, {.kind = Kind::Q_r, .action = 0});
        QCOMPARE(q.terms.size(), std::size_t{2});
        QCOMPARE(q.terms[0].weight, 0.75);
        QCOMPARE(q.terms[0].value, -2.0);
        QCOMPARE(q.terms[0].product, -1.5);
        QCOMPARE(q.sum, -2.0);
        QCOMPARE(q.factor, std::exp(std::log(0.99)));
        QVERIFY(std::abs(q.result + 1.98) < 1e-15);
        const Explanation v =
            *explainer.explain({0, 0}, {.kind = Kind::V_h_e, .human = 0, .goal = 0});
        QCOMPARE(v.terms.size(), std::size_t{2});
        QVERIFY(v.terms[0].isAttained);
        QCOMPARE(v.terms[0].discount, 1.0);
        QCOMPARE(v.result, 0.75);
        const Explanation x = *explainer.explain({0, 0}, {.kind = Kind::X_h, .human = 0});
        QCOMPARE(x.terms[0].exponent, 2.0);
        QCOMPARE(x.result, 0.5 * 0.75 * 0.75);
    }

    void aStateOfTheLastStepNeedsNoWork() {
        TableWorldSpec spec;
        spec.agents = {tableAgent(AgentRole::Human, 0, 1), tableAgent(AgentRole::Robot, 0, 1)};
        spec.cells = {{0, 1}};
        spec.rows = {{{{{1.0, 0}}}}};
        spec.goals = {{.agent = 0, .goals = {{0, 0, 0, 0}}, .weights = {1}}};
        spec.maxSteps = 0;  // nothing was expanded
        const Answer solution =
            solve(explore(std::make_shared<TableWorld>(spec), {.threads = 1}), {});
        QCOMPARE(solution->graph().rows(0).numEntries, 0u);
        QCOMPARE(Explainer(solution).workOf({0, 0}), std::size_t{0});
        QVERIFY(Explainer(solution).explain({0, 0}, {.kind = Kind::V_r})->terms.empty());
    }

    void aSteepPolicyAllowsForItsConditioning() {
        SolveSpec spec;
        spec.beta_r = 5000;
        const Found found = explainSome(solve(exampleGraph("first_steps", 5), spec), 4);
        QVERIFY(found.explained.at(Kind::Pi_r) > 0);
    }

    void smallTermsAreSummedUp() {
        const Answer solution = solve(exampleGraph("slippery_bridge", 5), {});
        const Explainer explainer(solution);
        const ValueOf asked{.kind = Kind::V_h_e, .human = 0, .goal = 0};
        const State state = someStates(solution->graph(), 3)[1];
        const Explanation whole = *explainer.explain(state, asked, 1000);
        const Explanation part = *explainer.explain(state, asked, 2);
        QVERIFY(whole.numTerms > 3);
        QCOMPARE(part.numTerms, whole.numTerms);
        QCOMPARE(part.terms.size(), std::size_t{2});
        QCOMPARE(part.sum, whole.sum);
        const double kept = part.terms[0].product + part.terms[1].product;
        QVERIFY(std::abs(kept + part.othersProduct - whole.sum) < 1e-14);
        for (std::size_t i = 2; i < whole.terms.size(); ++i)
            QVERIFY(std::abs(whole.terms[i].product) <= std::abs(part.terms[1].product));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!explainer.explain(state, asked, 2, stop.get_token()));
    }

    void reachIsAProbabilityOnEveryLevel() {
        const Answer solution = solve(exampleGraph("slippery_bridge", 6), {});
        ReachTable table(solution);
        QVERIFY(!table.of({3, solution->graph().levelMember(3, 0)}));
        int slices = 0;
        while (!table.advance(50)) ++slices;
        QVERIFY(slices > 3);
        const StateGraph& graph = solution->graph();
        std::map<ConfigIndex, double> level{{graph.levelMember(0, 0), 1.0}};
        for (int t = 0; t < graph.numLevels(); ++t) {
            double sum = 0;
            for (const State state : statesOfLevel(graph, t)) {
                sum += *table.of(state);
                QCOMPARE(*table.of(state), level[state.config]);
            }
            QVERIFY(std::abs(sum - 1) < 1e-12);
            std::map<ConfigIndex, double> next;
            for (const auto& [config, p] : level)
                if (p > 0)
                    for (const Successor& s : solution->inducedChain({t, config}))
                        next[s.state.config] += p * s.probability;
            level = std::move(next);
        }
    }

    void aSpreadCountsEveryState() {
        const Answer solution = solve(exampleGraph("first_steps", 6), {});
        const StateGraph& graph = solution->graph();
        for (const ValueOf& quantity : quantitiesOf(solution->world())) {
            SpreadBuilder builder(solution, quantity, statesOfLevel(graph, 4));
            while (!builder.advance(37)) QVERIFY(builder.share() < 1);
            const ValueSpread spread = builder.spread(12);
            QCOMPARE(spread.states, graph.levelSize(4));
            QCOMPARE(spread.n, graph.levelSize(4));
            std::int64_t counted = 0;
            for (const std::int64_t count : spread.count) counted += count;
            QCOMPARE(counted, spread.n);
            double sum = 0, squares = 0, least = kInfinity;
            for (const State state : statesOfLevel(graph, 4)) {
                const double value = *valueOf(*solution, state, quantity);
                sum += value;
                squares += value * value;
                least = std::min(least, value);
            }
            const double n = static_cast<double>(spread.n);
            QVERIFY(std::abs(spread.mean - sum / n) <= 1e-12 * std::abs(sum));
            QVERIFY(std::abs(spread.min - least) <= 1e-12 * std::abs(least));
            const double variance = std::max(0.0, squares / n - sum / n * (sum / n));
            QVERIFY(std::abs(spread.sd - std::sqrt(variance)) <= 1e-6 * (1 + spread.sd));
            QVERIFY(spread.min <= spread.quantile[0] && spread.quantile[0] <= spread.quantile[2]);
            QVERIFY(spread.quantile[2] <= spread.quantile[4] && spread.quantile[4] <= spread.max);
        }
        SpreadBuilder terminal(solution, {.kind = Kind::U_r}, statesOfLevel(graph, 6));
        QVERIFY(terminal.advance(1'000'000));
        QCOMPARE(terminal.spread(4).n, 0);
        QVERIFY(terminal.spread(4).states > 0);
    }
};

ORRERY_TEST(ExplainTest)
#include "explain_test.moc"
