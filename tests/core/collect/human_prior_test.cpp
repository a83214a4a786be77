#include "core/collect/human_prior.h"

#include <QTest>
#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/collect/facts.h"
#include "core/collect/step_modeller.h"
#include "core/dag/state_graph.h"
#include "core/encode/state_encoder.h"
#include "tests/core/collect/collect_worlds.h"
#include "tests/core/collect/human_priors.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

/// Sums to 1 a goal, nothing below 0.
bool isPrior(const World& world, std::span<const float> prior) {
    std::size_t at = 0;
    for (const HumanGoals& human : world.goals())
        for (std::size_t g = 0; g < human.goals.size(); ++g) {
            double sum = 0;
            for (int a = 0; a < world.numActions(human.agent); ++a) {
                if (prior[at] < 0) return false;
                sum += static_cast<double>(prior[at++]);
            }
            if (std::abs(sum - 1) > 1e-5) return false;
        }
    return at == prior.size();
}

/// The product of the humans' goal-marginals of each joint action of theirs, the first human
/// slowest; of human `own` the policy of its goal if that is not -1.
std::vector<double> profileShares(const WorldFacts& facts, std::span<const float> prior, int own,
                                  int goal) {
    std::vector<double> shares{1.0};
    std::size_t at = 0;
    for (std::size_t h = 0; h < facts.humans.size(); ++h) {
        const WorldFacts::Human& human = facts.humans[h];
        const auto actions = static_cast<std::size_t>(human.numActions);
        double weights = 0;
        for (const double w : human.weights) weights += w;
        std::vector<double> marginal(actions);
        for (std::size_t g = 0; g < human.goals.size(); ++g)
            for (std::size_t a = 0; a < actions; ++a, ++at) {
                const bool isOwn = static_cast<int>(h) == own && goal >= 0;
                const double share =
                    isOwn ? (static_cast<int>(g) == goal ? 1.0 : 0.0) : human.weights[g] / weights;
                marginal[a] += share * static_cast<double>(prior[at]);
            }
        std::vector<double> longer;
        for (const double before : shares)
            for (const double p : marginal) longer.push_back(before * p);
        shares = std::move(longer);
    }
    return shares;
}

/// How far Q_r and V_h^e of a state, computed from its rows and prior and the solution's values of
/// the next states, are from the solution's; relative to its values.
double differenceToExact(const Solution& solution, StepModeller& modeller, State state) {
    const StateGraph& graph = solution.graph();
    const World& world = graph.world();
    const auto configuration = graph.configuration(state.config);
    const ModelledRows& rows = modeller.rows(configuration, state.step, -1);
    const StateValues exact = solution.values(state);
    const auto words = static_cast<std::size_t>(world.keyWords());
    std::vector<State> next;
    for (std::size_t c = 0; c < rows.encodedAs.size(); ++c)
        next.push_back({state.step + 1,
                        *graph.find(std::span(rows.configurations).subspan(c * words, words))});
    const std::size_t numActions = exact.q_r.size();
    // Sums value(next state) over what follows a robot action, by shares of the humans' profiles.
    const auto expected = [&](std::size_t action, const std::vector<double>& shares,
                              const auto& valueOf) {
        double sum = 0;
        for (std::size_t profile = 0; profile < shares.size(); ++profile) {
            const std::size_t row = profile * numActions + action;
            for (auto o = rows.outcomeBegin[row]; o < rows.outcomeBegin[row + 1]; ++o)
                sum += shares[profile] * rows.outcomeProbability[o] *
                       valueOf(next[rows.outcomeConfiguration[o]]);
        }
        return sum;
    };
    const WorldFacts& facts = modeller.facts();
    double worst = 0;
    const auto compare = [&](double found, double wanted) {
        worst = std::max(worst, std::abs(found - wanted) / (std::abs(wanted) + 1e-9));
    };
    const auto shares = profileShares(facts, rows.model->prior, -1, -1);
    for (std::size_t a = 0; a < numActions; ++a)
        compare(expected(a, shares, [&](State s) { return 0.99 * solution.v_r(s); }), exact.q_r[a]);
    for (std::size_t h = 0; h < facts.humans.size(); ++h)
        for (std::size_t g = 0; g < facts.humans[h].goals.size(); ++g) {
            const auto human = static_cast<int>(h), goal = static_cast<int>(g);
            const auto own = profileShares(facts, rows.model->prior, human, goal);
            double v_h_e = 0;
            for (std::size_t a = 0; a < numActions; ++a)
                v_h_e += exact.pi_r[a] * expected(a, own, [&](State s) {
                             const auto attained =
                                 world.attainedGoals(graph.configuration(s.config), human);
                             return (attained >> g & 1U) != 0
                                        ? 1.0
                                        : 0.99 * solution.v_h_e(s, human, goal);
                         });
            compare(v_h_e, exact.v_h_e[h][g]);
        }
    return worst;
}

}  // namespace

/// The priors of humans against the exact solution, and the facts of a world.
class HumanPriorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPriorSumsToOne_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < learnableWorlds().size(); ++i)
            QTest::newRow(learnableWorlds()[i].name.c_str()) << static_cast<int>(i);
    }
    void everyPriorSumsToOne() {
        QFETCH(int, index);
        const auto& world = learnableWorlds()[static_cast<std::size_t>(index)].world;
        const auto uniform = makeUniformPolicy(*world);
        const auto near = makeShortestPathPolicy(world, 3.0);
        const auto nearest = makeShortestPathPolicy(world, kInfinite);
        Rng rng(2);
        Configuration at = world->initialConfiguration();
        for (int step = 0; step < std::min(world->maxSteps(), 12); ++step) {
            for (GoalPolicy* policy : {uniform.get(), near.get(), nearest.get()})
                QVERIFY(isPrior(*world, priorOf(*policy, *world, at, step)));
            const auto outcomes = world->outcomes(
                at, step, static_cast<ActionProfileIndex>(rng.below(world->numProfiles())));
            at = outcomes[rng.below(outcomes.size())].successor;
        }
    }

    void theExactPriorIsThatOfTheSolution_data() {
        QTest::addColumn<bool>("phase1Only");
        QTest::addColumn<bool>("unrolled");
        QTest::newRow("both phases") << false << false;
        QTest::newRow("phase 1") << true << false;
        QTest::newRow("phase 1, unrolled") << true << true;
    }
    void theExactPriorIsThatOfTheSolution() {
        QFETCH(bool, phase1Only);
        QFETCH(bool, unrolled);
        const auto world = smallRoom(6);
        const auto graph = explore(world, {.threads = 1, .unrolled = unrolled});
        SolveSpec spec;
        spec.threads = 1;
        spec.phase1Only = phase1Only;
        const auto solution = solve(graph, spec);
        const auto policy = makeExactPolicy(solution);
        std::int64_t states = 0;
        for (int step = 0; step < world->maxSteps(); ++step)
            for (std::int64_t k = 0; k < graph->levelSize(step); k += 3, ++states) {
                const State state{step, graph->levelMember(step, k)};
                const auto prior =
                    priorOf(*policy, *world, graph->configuration(state.config), step);
                QVERIFY(isPrior(*world, prior));
                std::size_t at = 0;
                for (const auto& goals : solution->values(state).pi_h)
                    for (const auto& actions : goals)
                        for (const double p : actions) QCOMPARE(prior[at++], static_cast<float>(p));
                QCOMPARE(at, prior.size());
            }
        QVERIFY(states > 100);
        // A state of another world.
        const auto other = smallRoom(9);
        std::vector<float> prior(24);
        QVERIFY_THROWS_EXCEPTION(Error, policy->fill(other->initialConfiguration(), 8, prior));
    }

    void rowsAndPriorsGiveTheValuesOfTheExactSolution_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < learnableWorlds().size(); ++i)
            for (const char* name : {"first_steps", "two_in_niches", "off_switch", "mixed_crew",
                                     "slippery_bridge", "coffee_break"})
                if (learnableWorlds()[i].name == name) QTest::newRow(name) << static_cast<int>(i);
    }
    void rowsAndPriorsGiveTheValuesOfTheExactSolution() {
        QFETCH(int, index);
        const auto& world = learnableWorlds()[static_cast<std::size_t>(index)].world;
        const auto graph = explore(world, {.threads = 1});
        SolveSpec spec;
        spec.threads = 1;
        const auto solution = solve(graph, spec);
        StepModeller modeller(world, factsOf(*world, shapeCovering(std::span(&world, 1))),
                              makeExactPolicy(solution));
        Rng rng(5);
        double worst = 0;
        for (int k = 0; k < 60; ++k) {
            const auto step = static_cast<int>(rng.below(static_cast<unsigned>(world->maxSteps())));
            const auto member = static_cast<std::int64_t>(
                rng.below(static_cast<std::uint64_t>(graph->levelSize(step))));
            const State state{step, graph->levelMember(step, member)};
            worst = std::max(worst, differenceToExact(*solution, modeller, state));
        }
        qInfo("largest relative difference %.2g", worst);
        QVERIFY(worst < 1e-5);  // the model's numbers are floats
    }

    void whatCannotBeLearnedIsRefused() {
        const std::vector<Goal> goals{Goal{1, 1, 3, 2}};
        const auto textOf = [](const std::vector<std::shared_ptr<const World>>& worlds) {
            try {
                factsOf(worlds);
            } catch (const Error& e) {
                return std::string(e.what());
            }
            return std::string();
        };
        const auto good = roomOf({"WeWeWeWeWe", "WeAy..AeWe", "We......We", "WeWeWeWeWe"}, goals);
        const auto noHuman =
            roomOf({"WeWeWeWeWe", "We....AeWe", "We......We", "WeWeWeWeWe"}, goals);
        const auto noRobot =
            roomOf({"WeWeWeWeWe", "WeAy....We", "We......We", "WeWeWeWeWe"}, goals);
        const auto two = roomOf({"WeWeWeWeWe", "WeAyAyAeWe", "We......We", "WeWeWeWeWe"}, goals);
        const auto doorman =
            roomOf({"WeWeWeWeWe", "WeAyKrAeWe", "We......We", "WeWeWeWeWe"}, goals);
        QCOMPARE(textOf({good, good}), std::string());
        QVERIFY(textOf({}).find("no world") != std::string::npos);
        QVERIFY(textOf({noHuman}).find("no human") != std::string::npos);
        QVERIFY(textOf({noRobot}).find("no robot") != std::string::npos);
        QVERIFY(textOf({good, two}).find("2 and 1 humans") != std::string::npos);
        QVERIFY(textOf({good, doorman}).find("same actions") != std::string::npos);
        const auto nine = roomOf(
            {"WeWeWeWeWe", "WeAyAyAyWe", "WeAyAyAyWe", "WeAyAyAyWe", "WeAe....We", "WeWeWeWeWe"},
            goals);
        QVERIFY(textOf({nine}).find("9 humans; 8 are the most") != std::string::npos);
    }

    void factsAreThoseOfTheWorld() {
        const auto world = roomOf({"WeWeWeWeWe", "WeAy..AeWe", "We....AyWe", "WeWeWeWeWe"},
                                  {Goal{1, 1, 3, 2}, Goal{2, 1, 2, 1}});
        const auto small =
            roomOf({"WeWeWeWe", "WeAyAyWe", "WeAe..We", "WeWeWeWe"}, {Goal{1, 1, 2, 2}});
        const auto facts = factsOf(std::vector{world, small});
        QCOMPARE(facts[0].shape.width, 5);
        QVERIFY(facts[0].shape == facts[1].shape);
        QCOMPARE(facts[0].humans.size(), std::size_t{2});
        QCOMPARE(facts[0].humans[0].agent, 0);
        QCOMPARE(facts[0].humans[0].slot, 1);  // grey comes before yellow
        QCOMPARE(facts[0].humans[1].slot, 2);
        QVERIFY((facts[0].humans[0].goals[1] == GoalRectangle{2, 1, 2, 1}));
        QCOMPARE(facts[0].humans[0].weights, (std::vector<double>{0.5, 0.5}));
        QCOMPARE(facts[0].numRobotActions(), 4);
        QCOMPARE(facts[0].numHumanProfiles(), 16);
        QCOMPARE(facts[0].priorNumbers(), std::size_t{16});
        QCOMPARE(facts[1].priorNumbers(), std::size_t{8});
        // Agents that are neither take their first action.
        const auto mixed =
            roomOf({"WeWeWeWeWe", "WeAyArAeWe", "We......We", "WeWeWeWeWe"}, {Goal{1, 1, 3, 2}});
        QCOMPARE(worldProfile(*mixed, factsOf(*mixed, facts[0].shape), 2, 3),
                 ActionProfileIndex{2 + 4 * 0 + 16 * 3});
        // Agents 0, 1, 2 are human, robot, human; agent 0 varies fastest in the world's index.
        QCOMPARE(worldProfile(*world, facts[0], 1 * 4 + 2, 3),
                 ActionProfileIndex{1 + 4 * 3 + 16 * 2});
    }
};

ORRERY_TEST(HumanPriorTest)
#include "human_prior_test.moc"
