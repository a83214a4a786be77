#include <QTest>
#include <limits>
#include <map>

#include "core/solve/solution.h"
#include "tests/core/solve/solve_checks.h"
#include "tests/support/plain_solver.h"
#include "tests/support/test_program.h"
#include "tests/support/test_worlds.h"

using namespace orrery;
using orrery::test::kInfinity;

namespace {

Configuration keyOf(const StateGraph& graph, ConfigIndex config) {
    const auto key = graph.configuration(config);
    return {key.begin(), key.end()};
}

/// Every value of every state of the product against the plain solver, for every goal.
void compareAll(const Solution& solution, const PlainSolver& plain) {
    const StateGraph& graph = solution.graph();
    std::size_t states = 0;
    for (int step = 0; step < graph.numLevels(); ++step)
        for (ConfigIndex c = graph.levelBegin(step); c < graph.levelEnd(step); ++c) {
            if (!graph.inLevel(step, c)) continue;
            ++states;
            const State state{step, c};
            const StateValues expected = plain.values().at({step, keyOf(graph, c)});
            const StateValues ours = solution.values(state);
            const auto found = test::differences(ours, expected);
            for (const std::string& line : found)
                qWarning("step %d, configuration %u, %s", step, c, line.c_str());
            QVERIFY(found.empty());
            QCOMPARE(solution.v_r(state), ours.v_r);
            for (int h = 0; h < static_cast<int>(ours.v_h.size()); ++h)
                for (int g = 0; g < static_cast<int>(ours.v_h[h].size()); ++g) {
                    QCOMPARE(solution.v_h(state, h, g), ours.v_h[h][g]);
                    QCOMPARE(solution.v_h_e(state, h, g), ours.v_h_e[h][g]);
                }
        }
    QCOMPARE(states, plain.values().size());
}

void solveBoth(const TableWorldSpec& table, const SolveSpec& spec) {
    const auto world = std::make_shared<TableWorld>(table);
    const auto solution = solve(explore(world, {.threads = 2}), spec);
    QVERIFY(solution != nullptr);
    compareAll(*solution, PlainSolver(*world, spec));
}

RandomTableShape randomShape(Rng& rng) {
    const auto below = [&rng](int n) {
        return static_cast<int>(rng.below(static_cast<std::uint64_t>(n)));
    };
    RandomTableShape shape;
    shape.configs = 2 + below(8);
    shape.humans = 1 + below(2);
    shape.robots = below(3);
    shape.others = below(4) == 0 ? 1 : 0;
    shape.actions = 1 + below(3);
    if (shape.humans + shape.robots + shape.others > 3) shape.actions = std::min(shape.actions, 2);
    shape.goals = 1 + below(11);
    shape.maxSteps = 1 + below(4);
    shape.maxOutcomes = 1 + below(3);
    return shape;
}

}  // namespace

class SolvePlainTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void randomWorldsAndParametersGiveTheFormulasValues_data() { listSeeds(60); }
    void randomWorldsAndParametersGiveTheFormulasValues() {
        QFETCH(int, seed);
        Rng rng(static_cast<std::uint64_t>(seed), 1);
        const RandomTableShape shape = randomShape(rng);
        solveBoth(randomTableWorld(shape, rng), test::randomSpec(rng));
    }

    void worldsThatDependOnTheStepGiveTheFormulasValues_data() { listSeeds(10); }
    void worldsThatDependOnTheStepGiveTheFormulasValues() {
        QFETCH(int, seed);
        Rng rng(static_cast<std::uint64_t>(seed), 2);
        RandomTableShape shape = randomShape(rng);
        shape.maxSteps = 3;
        shape.byStep = true;
        solveBoth(randomTableWorld(shape, rng), test::randomSpec(rng));
    }

    void durationsGiveTheFormulasValues_data() { listSeeds(20); }
    void durationsGiveTheFormulasValues() {
        QFETCH(int, seed);
        Rng rng(static_cast<std::uint64_t>(seed), 3);
        RandomTableShape shape = randomShape(rng);
        shape.durations = true;
        solveBoth(randomTableWorld(shape, rng), test::randomSpec(rng));
    }

    void rulesOfBeliefAndHabitsGiveTheFormulasValues_data() { listSeeds(40); }
    void rulesOfBeliefAndHabitsGiveTheFormulasValues() {
        QFETCH(int, seed);
        Rng rng(static_cast<std::uint64_t>(seed), 4);
        RandomTableShape shape = randomShape(rng);
        shape.humans = 1 + seed % 3;
        shape.robots = seed % 2;
        shape.others = 0;
        shape.actions = 2;
        shape.durations = seed % 5 == 0;
        const TableWorldSpec table = randomTableWorld(shape, rng);
        SolveSpec spec = test::randomSpec(rng);
        test::addRandomRules(TableWorld(table), spec, rng);
        solveBoth(table, spec);
    }

    void beliefsInCodeOverrideTheRules() {
        Rng rng(8);
        RandomTableShape shape;
        shape.humans = 3;
        const auto world = std::make_shared<TableWorld>(randomTableWorld(shape, rng));
        SolveSpec spec = test::randomSpec(rng);
        test::addRandomRules(*world, spec, rng);
        spec.nu = 0.25;
        spec.beta_h = 7;
        /// Other numbers for each state, human and own action.
        const auto believed = [](int step, int number, int human, int action) {
            const auto state = static_cast<std::uint64_t>(step) * 100 + number;
            Rng local(state * 10 + human, static_cast<std::uint64_t>(action));
            return test::randomDistribution(4, local);
        };
        const auto graph = explore(world, {.threads = 1});
        SolveHooks hooks;
        hooks.believedOthers = [&](State state, int human, int action) {
            return believed(state.step, world->numberOf(graph->configuration(state.config)), human,
                            action);
        };
        const auto solution = solve(graph, spec, hooks);
        compareAll(*solution,
                   PlainSolver(*world, spec,
                               [&](int step, const Configuration& key, int human, int action) {
                                   return believed(step, world->numberOf(key), human, action);
                               }));
        // They are not the values without the callback.
        const auto plain = solve(graph, spec);
        QVERIFY(plain->v_r({0, 0}) != solution->v_r({0, 0}));
    }

    // Probabilities that are exact in binary make ties the same for both.
    void infiniteBetasGiveTheFormulasValues_data() { listSeeds(20); }
    void infiniteBetasGiveTheFormulasValues() {
        QFETCH(int, seed);
        Rng rng(static_cast<std::uint64_t>(seed), 5);
        RandomTableShape shape = randomShape(rng);
        shape.actions = 2;
        shape.dyadic = true;
        SolveSpec spec = test::randomSpec(rng);
        spec.rho_h.reset();
        spec.gamma_h = 1.0;
        spec.beta_h = kInfinity;
        if (seed % 2 == 0) {
            shape.maxOutcomes = 1;
            spec.beta_r = kInfinity;
        }
        solveBoth(randomTableWorld(shape, rng), spec);
    }

    void phase1AloneGivesTheSamePhase1() {
        Rng rng(6);
        for (int round = 0; round < 5; ++round) {
            const auto world =
                std::make_shared<TableWorld>(randomTableWorld(randomShape(rng), rng));
            SolveSpec spec = test::randomSpec(rng);
            spec.phase1Only = true;
            const auto solution = solve(explore(world, {.threads = 1}), spec);
            compareAll(*solution, PlainSolver(*world, spec));
        }
    }

    void theInducedChainIsTheMixtureOfTheRows() {
        Rng rng(10);
        for (int round = 0; round < 10; ++round) {
            const auto world =
                std::make_shared<TableWorld>(randomTableWorld(randomShape(rng), rng));
            if (!world->warnings().empty()) continue;
            const auto graph = explore(world, {.threads = 1});
            const auto solution = solve(graph, test::randomSpec(rng));
            for (int step = 0; step + 1 < graph->numLevels(); ++step)
                for (ConfigIndex c = 0; c < graph->levelEnd(step); ++c)
                    if (graph->inLevel(step, c)) checkChain(*world, *solution, {step, c});
            QVERIFY(solution
                        ->inducedChain(
                            {graph->numLevels() - 1, graph->levelMember(graph->numLevels() - 1, 0)})
                        .empty());
        }
    }

    void manyGoalsOfUnequalNumbersKeepTheirPlaces() {
        // Own lists of 64, 1 and 9 goals: lanes of several widths side by side.
        Rng rng(12);
        RandomTableShape shape;
        shape.humans = 3;
        shape.actions = 2;
        TableWorldSpec table = randomTableWorld(shape, rng);
        const int sizes[] = {64, 1, 9};
        for (int h = 0; h < 3; ++h) {
            HumanGoals& own = table.goals[h];
            own.goals.resize(1);
            own.weights.resize(1);
            for (int g = 1; g < sizes[h]; ++g) {
                const int x = static_cast<int>(rng.below(3));
                const int y = static_cast<int>(rng.below(2));
                own.goals.push_back({x, y, x, y, g % 2 == 0});
                own.weights.push_back(0.01 + rng.uniform());
            }
        }
        solveBoth(table, test::randomSpec(rng));
    }

private:
    static void listSeeds(int count) {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < count; ++seed) QTest::addRow("%d", seed) << seed;
    }

    static void checkChain(const World& world, const Solution& solution, State state) {
        const StateValues values = solution.values(state);
        const RobotProfiles robots = robotProfiles(world);
        std::map<ConfigIndex, double> expected;
        for (ActionProfileIndex p = 0; p < world.numProfiles(); ++p) {
            const std::vector<int> actions = world.profileActions(p);
            double probability = 1;
            for (std::size_t h = 0; h < world.humans().size(); ++h)
                probability *= values.marginal[h][actions[world.humans()[h]]];
            std::vector<int> ofRobots;
            for (const int agent : robots.robots) ofRobots.push_back(actions[agent]);
            const auto at = std::ranges::find(robots.actions, ofRobots);
            probability *= values.pi_r[at - robots.actions.begin()];
            for (int agent = 0; agent < world.numAgents(); ++agent)
                if (world.agents()[agent].role == AgentRole::Other && actions[agent] != 0)
                    probability = 0;
            for (const Successor& next : solution.successors(state, p))
                expected[next.state.config] += probability * next.probability;
        }
        std::erase_if(expected, [](const auto& entry) { return entry.second == 0; });
        const std::vector<Successor> chain = solution.inducedChain(state);
        QCOMPARE(chain.size(), expected.size());
        auto next = expected.begin();
        double sum = 0;
        for (const Successor& successor : chain) {
            QCOMPARE(successor.state.step, state.step + 1);
            QCOMPARE(successor.state.config, next->first);
            QVERIFY(test::isClose(successor.probability, next->second));
            sum += successor.probability;
            ++next;
        }
        QVERIFY(std::abs(sum - 1) < 1e-12);
    }
};

ORRERY_TEST(SolvePlainTest)
#include "solve_plain_test.moc"
