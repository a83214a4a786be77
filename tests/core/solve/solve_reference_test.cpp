#include <QTest>
#include <map>

#include "core/grid/grid_world.h"
#include "core/solve/solution.h"
#include "tests/core/solve/solve_checks.h"
#include "tests/core/world/grid_bridge.h"
#include "tests/support/brute_force_solver.h"
#include "tests/support/random_world.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// One random grid world with goals, for the product and for the brute-force solver.
struct Problem {
    reference::RefWorld ref;
    reference::RefProblem refProblem;
    GridWorldSpec grid;
    SolveSpec spec;
};

std::vector<Goal> randomGoals(const reference::RefWorld& world, Rng& rng) {
    std::vector<Goal> goals = {{0, 0, world.width - 1, world.height - 1, true}};
    for (std::uint64_t k = 1 + rng.below(5); k > 0; --k) {
        const int x = static_cast<int>(rng.below(static_cast<std::uint64_t>(world.width)));
        const int y = static_cast<int>(rng.below(static_cast<std::uint64_t>(world.height)));
        const int x2 = std::min(world.width - 1, x + static_cast<int>(rng.below(2)));
        goals.push_back({x, y, x2, y, x2 > x});
    }
    return goals;
}

void setGoals(Problem& problem, Rng& rng) {
    const std::vector<Goal> common = randomGoals(problem.ref, rng);
    problem.grid.possibleGoals = common;
    for (std::size_t g = 0; g < common.size(); ++g)
        problem.grid.goalWeights.push_back(0.05 + rng.uniform());
    for (const int human : problem.refProblem.humans) {
        HumanGoals own{human, common, problem.grid.goalWeights};
        if (rng.below(2) == 0) {
            own.goals = randomGoals(problem.ref, rng);
            own.weights.clear();
            for (std::size_t g = 0; g < own.goals.size(); ++g)
                own.weights.push_back(0.05 + rng.uniform());
            problem.grid.ownGoals.push_back(own);
        }
        reference::RefHumanGoals list;
        for (const Goal& goal : own.goals)
            list.goals.push_back({goal.x1, goal.y1, goal.x2, goal.y2});
        list.weights = own.weights;
        problem.refProblem.humanGoals.push_back(list);
    }
}

void setParameters(Problem& problem, Rng& rng) {
    SolveSpec& spec = problem.spec;
    spec = test::randomSpec(rng);
    spec.x_h_floor.reset();
    reference::RefProblem& r = problem.refProblem;
    r.beta_h = spec.beta_h;
    r.beta_r = spec.beta_r;
    r.gamma_h = spec.gamma_h;
    r.rho_h = spec.rho_h;
    r.gamma_r = spec.gamma_r;
    r.rho_r = spec.rho_r;
    r.zeta = spec.zeta;
    r.xi = spec.xi;
    r.eta = spec.eta;
    r.terminalV_r = spec.terminal_v_r;
    r.optimistic = spec.optimistic;
    if (rng.below(3) == 0) {
        r.durationPerNonzeroAction = rng.uniform();
        problem.grid.durationPerNonzeroAction = r.durationPerNonzeroAction;
    }
}

/// Beliefs that humans act by fixed distributions, for both sides.
void setBeliefs(Problem& problem, const World& world, Rng& rng) {
    BelievedOthersRule rule;
    std::vector<std::vector<double>> distribution(problem.ref.agentColor.size());
    for (const int human : problem.refProblem.humans) {
        distribution[human] = test::randomDistribution(problem.ref.actions[human].size(), rng);
        rule.agents.push_back({world.agents()[human].name, distribution[human]});
    }
    problem.spec.believedOthers = {rule};
    problem.refProblem.beliefs = reference::independentBeliefs(problem.ref, distribution);
}

StateValues expectedValues(const reference::RefGraph& graph, const reference::RefPhase1& phase1,
                           const reference::RefPhase2& phase2, const reference::RefWorld& world,
                           std::size_t s) {
    StateValues values;
    values.terminal = world.isTerminal(graph.states[s]);
    values.v_h = phase1.v[s];
    values.pi_h = phase1.pi_h[s];
    values.marginal = phase1.marginal[s];
    values.q_r = phase2.q_r[s];
    values.pi_r = phase2.pi_r[s];
    values.v_h_e = phase2.v_h_e[s];
    values.x_h = phase2.x_h[s];
    values.v_r = phase2.v_r[s];
    if (values.terminal)
        values.x_h.assign(values.v_h.size(), 0.0);
    else
        values.u_r = phase2.u_r[s];
    return values;
}

}  // namespace

class SolveReferenceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Worlds without a human, and those too large for the brute-force solver, are passed over.
    void randomGridWorldsGiveTheBruteForceValues() {
        int worlds = 0;
        int withTwoHumans = 0;
        std::size_t states = 0;
        for (std::uint64_t seed = 1; worlds < 60; ++seed) {
            QVERIFY2(seed < 1000, "too few of the random worlds fit");
            const reference::RandomWorld random =
                reference::randomWorld(seed, {.minAgents = 2 + static_cast<int>(seed % 2),
                                              .maxAgents = 3,
                                              .maxInnerWidth = 3,
                                              .maxInnerHeight = 3,
                                              .maxSteps = 2});
            Problem problem{random.world(), {}, test::specOf(random.map, random.parameters), {}};
            for (int i = 0; i < problem.ref.numAgents(); ++i) {
                if (problem.ref.isHuman(i)) problem.refProblem.humans.push_back(i);
                if (problem.ref.agentColor[i] == 'e') problem.refProblem.robots.push_back(i);
            }
            if (problem.refProblem.humans.empty() || problem.ref.numProfiles() > 150) continue;
            const reference::RefGraph graph = reference::exploreAll(problem.ref);
            if (graph.states.size() > 250) continue;
            Rng rng(seed);
            setGoals(problem, rng);
            setParameters(problem, rng);
            const auto world = std::make_shared<GridWorld>(problem.grid);
            if (seed % 2 == 0) setBeliefs(problem, *world, rng);
            compare(problem, world, graph);
            if (QTest::currentTestFailed()) {
                qWarning("seed %d: %s", static_cast<int>(seed), random.text().c_str());
                return;
            }
            ++worlds;
            withTwoHumans += problem.refProblem.humans.size() > 1 ? 1 : 0;
            states += graph.states.size();
        }
        QVERIFY2(withTwoHumans >= 5, qPrintable(QString::number(withTwoHumans)));
        QVERIFY2(states >= 1000, qPrintable(QString::number(states)));
    }

private:
    static void compare(const Problem& problem, const std::shared_ptr<const GridWorld>& world,
                        const reference::RefGraph& refGraph) {
        const auto phase1 = reference::solvePhase1(problem.ref, refGraph, problem.refProblem);
        const auto phase2 =
            reference::solvePhase2(problem.ref, refGraph, problem.refProblem, phase1);
        const auto graph = explore(world, {.threads = 2});
        const auto solution = solve(graph, problem.spec);
        QCOMPARE(graph->counts().states, std::ssize(refGraph.states));
        std::map<reference::RefState, std::size_t> indexOf;
        for (std::size_t s = 0; s < refGraph.states.size(); ++s) indexOf[refGraph.states[s]] = s;
        for (int step = 0; step < graph->numLevels(); ++step)
            for (ConfigIndex c = 0; c < graph->levelEnd(step); ++c) {
                if (!graph->inLevel(step, c)) continue;
                const auto found = indexOf.find(
                    test::refStateOf(problem.ref, world->unpack(graph->configuration(c)), step));
                QVERIFY(found != indexOf.end());
                const auto lines = test::differences(
                    solution->values({step, c}),
                    expectedValues(refGraph, phase1, phase2, problem.ref, found->second));
                for (const std::string& line : lines)
                    qWarning("step %d, configuration %u, %s", step, c, line.c_str());
                QVERIFY(lines.empty());
            }
    }
};

ORRERY_TEST(SolveReferenceTest)
#include "solve_reference_test.moc"
