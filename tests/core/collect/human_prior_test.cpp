#include "core/collect/human_prior.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/error.h"
#include "core/collect/facts.h"
#include "core/collect/step_modeller.h"
#include "core/dag/state_graph.h"
#include "core/encode/state_encoder.h"
#include "core/world/grid_world.h"
#include "tests/core/collect/collect_worlds.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::vector<float> priorOf(GoalPolicy& policy, const World& world,
                           std::span<const std::uint64_t> configuration, int step) {
    std::size_t numbers = 0;
    for (const HumanGoals& human : world.goals())
        numbers += human.goals.size() * static_cast<std::size_t>(world.numActions(human.agent));
    std::vector<float> prior(numbers, -1.0F);
    policy.fill(configuration, step, prior);
    return prior;
}

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

std::shared_ptr<const World> roomOf(std::vector<std::string> map, std::vector<Goal> goals) {
    GridWorldSpec spec;
    spec.map = std::move(map);
    spec.possibleGoals = std::move(goals);
    spec.maxSteps = 20;
    return makeWorld(spec);
}

/// The human's best actions one after the other until it stands in its only goal, the others
/// keeping still: names with their chance where several are as good ("left 0.5"). Ends after 30.
QStringList walkOf(const std::shared_ptr<const World>& world) {
    const auto policy = makeShortestPathPolicy(world, kInfinite);
    const HumanGoals& human = world->goals()[0];
    Configuration at = world->initialConfiguration();
    QStringList walk;
    while (world->attainedGoals(at, 0) == 0 && walk.size() < 30) {
        const auto prior = priorOf(*policy, *world, at, 0);
        const auto best = std::ranges::max_element(prior) - prior.begin();
        const auto action = static_cast<std::size_t>(best);
        QString text = QString::fromStdString(world->agents()[human.agent].actions[action]);
        if (prior[action] < 1.0F)
            text += u' ' + QString::number(static_cast<double>(prior[action]), 'g', 2);
        walk << text;
        std::vector<int> actions(static_cast<std::size_t>(world->numAgents()));
        actions[static_cast<std::size_t>(human.agent)] = static_cast<int>(action);
        at = world->outcomes(at, 0, world->profileIndex(actions))[0].successor;
    }
    return walk;
}

/// The sum of the priors on a walk of at most 20 random steps, weighted by their places.
double signatureOf(const std::shared_ptr<const World>& world) {
    const auto policy = makeShortestPathPolicy(world, 1.0);
    Rng rng(3);
    Configuration at = world->initialConfiguration();
    double signature = 0;
    for (int step = 0; step < std::min(world->maxSteps(), 20); ++step) {
        const auto prior = priorOf(*policy, *world, at, step);
        for (std::size_t i = 0; i < prior.size(); ++i)
            signature += static_cast<double>(prior[i]) * static_cast<double>(1 + i % 7);
        const auto outcomes = world->outcomes(
            at, step, static_cast<ActionProfileIndex>(rng.below(world->numProfiles())));
        at = outcomes[rng.below(outcomes.size())].successor;
    }
    return signature;
}

}  // namespace

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

    void theShortestPathIsTaken() {
        // The human looks east; the goals are straight ahead, behind, and where it stands.
        const auto world =
            roomOf({"WeWeWeWeWeWeWe", "We....Ay....We", "We......Ae..We", "WeWeWeWeWeWeWe"},
                   {Goal{5, 1, 5, 1}, Goal{1, 1, 1, 1}, Goal{3, 1, 3, 1}});
        const auto policy = makeShortestPathPolicy(world, kInfinite);
        const auto prior = priorOf(*policy, *world, world->initialConfiguration(), 0);
        // still, left, right, forward
        QVERIFY((std::vector<float>(prior.begin(), prior.begin() + 4) ==
                 std::vector<float>{0, 0, 0, 1}));
        QVERIFY((std::vector<float>(prior.begin() + 4, prior.begin() + 8) ==
                 std::vector<float>{0, 0.5F, 0.5F, 0}));
        // Where it stands already, all that does not leave is as good.
        QVERIFY((std::vector<float>(prior.begin() + 8, prior.end()) ==
                 std::vector<float>{1 / 3.0F, 1 / 3.0F, 1 / 3.0F, 0}));
    }

    void theChanceOfAWrongStepFallsWithBeta() {
        const auto world =
            roomOf({"WeWeWeWeWe", "WeAy....We", "We....AeWe", "WeWeWeWeWe"}, {Goal{3, 1, 3, 1}});
        for (const double beta : {0.0, 0.5, 2.0}) {
            const auto policy = makeShortestPathPolicy(world, beta);
            const auto prior = priorOf(*policy, *world, world->initialConfiguration(), 0);
            // Two forwards are left: still keeps 2, a turn makes it 3, forward leaves 1.
            const double still = std::exp(-beta), turn = std::exp(-2 * beta);
            const double sum = 1 + still + 2 * turn;
            const double expected[] = {still / sum, turn / sum, turn / sum, 1 / sum};
            for (std::size_t a = 0; a < 4; ++a)
                QVERIFY(std::abs(static_cast<double>(prior[a]) - expected[a]) < 1e-6);
        }
    }

    void wallsAndLavaAreWalkedAround() {
        const auto world = roomOf(
            {"WeWeWeWeWe", "WeAyLa..We", "We......We", "WeWe....We", "WeAe....We", "WeWeWeWeWe"},
            {Goal{3, 1, 3, 1}});
        const auto policy = makeShortestPathPolicy(world, kInfinite);
        const auto prior = priorOf(*policy, *world, world->initialConfiguration(), 0);
        // It looks east at the lava: the way is to the right, down and around.
        QVERIFY((prior == std::vector<float>{0, 0, 1, 0}));
    }

    /// Distances where nothing can be opened, carried or pushed away: of the first version.
    void worldsWithoutObstaclesHaveTheseSignatures_data() {
        QTest::addColumn<double>("signature");
        QTest::newRow("bush_meadow") << 378.592464;
        QTest::newRow("coffee_break") << 267.822203;
        QTest::newRow("different_tastes") << 166.784468;
        QTest::newRow("first_steps") << 272.825230;
        QTest::newRow("hedge_maze") << 218.004402;
        QTest::newRow("magic_garden") << 178.932962;
        QTest::newRow("remote_control") << 94.675257;
        QTest::newRow("roundabout") << 468.571033;
        QTest::newRow("slippery_bridge") << 185.620418;
        QTest::newRow("slow_moves") << 204.070698;
    }
    void worldsWithoutObstaclesHaveTheseSignatures() {
        QFETCH(double, signature);
        const auto found =
            std::ranges::find(learnableWorlds(), QTest::currentDataTag(), &LearnableWorld::name);
        QVERIFY(found != learnableWorlds().end());
        QVERIFY(std::abs(signatureOf(found->world) - signature) < 1e-4);  // sums of floats
    }

    void doorsAreOpenedAndKeysFetched_data() {
        QTest::addColumn<QStringList>("rows");
        QTest::addColumn<QStringList>("walk");
        QTest::newRow("an open door is floor")
            << QStringList{"WeAyOr..We", "WeWeWeAeWe"} << QStringList{"forward", "forward"};
        QTest::newRow("a closed door is opened") << QStringList{"WeAyCr..We", "WeWeWeAeWe"}
                                                 << QStringList{"toggle", "forward", "forward"};
        QTest::newRow("the key of a locked door is fetched first")
            << QStringList{"WeAyLr..We", "WeKrWeAeWe"}
            << QStringList{"right", "pickup", "left", "toggle", "forward", "forward"};
        QTest::newRow("a key of another colour is put aside")
            << QStringList{"WeAyLr..We", "WeKgKrWeWe", "We....WeWe", "WeAeWeWeWe"}
            << QStringList{"right",    "pickup",  "forward", "drop",   "left",    "pickup",
                           "left 0.5", "forward", "right",   "toggle", "forward", "forward"};
        QTest::newRow("a thing in the way is picked up")
            << QStringList{"WeAyBb..We", "WeWeWeAeWe"}
            << QStringList{"pickup", "forward", "forward"};
        QTest::newRow("a box is opened or picked up")
            << QStringList{"WeAyXb..We", "WeWeWeAeWe"}
            << QStringList{"pickup 0.5", "forward", "forward"};
    }
    void doorsAreOpenedAndKeysFetched() {
        QFETCH(QStringList, rows);
        QFETCH(QStringList, walk);
        std::vector<std::string> map{"WeWeWeWeWe"};
        for (const QString& row : rows) map.push_back(row.toStdString());
        map.emplace_back("WeWeWeWeWe");
        QCOMPARE(walkOf(roomOf(map, {Goal{3, 1, 3, 1}})), walk);
    }

    void aKeyIsDroppedForTheNext() {
        const auto world =
            roomOf({"WeWeWeWeWeWeWe", "WeKgAyLrLg..We", "WeWeKrWeWeAeWe", "WeWeWeWeWeWeWe"},
                   {Goal{5, 1, 5, 1}});
        QCOMPARE(walkOf(world), (QStringList{"right", "pickup", "left", "toggle", "right", "drop",
                                             "right", "pickup", "left 0.5", "left", "forward",
                                             "toggle", "forward", "forward"}));
    }

    void aRockIsWalkedAroundByWhomeverMayNotPushIt() {
        GridWorldSpec spec;
        spec.map = {"WeWeWeWeWeWe", "WeAyRo....We", "We......AeWe", "WeWeWeWeWeWe"};
        spec.possibleGoals = {Goal{3, 1, 3, 1}};
        spec.maxSteps = 20;
        QCOMPARE(walkOf(makeWorld(spec)).first(), QString("right"));
        spec.canPushRocks = "ey";
        QCOMPARE(walkOf(makeWorld(spec)), (QStringList{"forward", "forward"}));
    }

    void whereOnlyOthersCanOpenItWaitsAtTheDoor() {
        // The key is in the robot's room.
        const auto world = roomOf({"WeWeWeWeWeWe", "We..AyLr..We", "WeWeWeKrAeWe", "WeWeWeWeWeWe"},
                                  {Goal{4, 1, 4, 1}});
        const auto policy = makeShortestPathPolicy(world, kInfinite);
        const auto prior = priorOf(*policy, *world, world->initialConfiguration(), 0);
        // still, left, right, forward, pickup, drop, toggle
        QVERIFY((prior == std::vector<float>{0.2F, 0, 0, 0.2F, 0.2F, 0.2F, 0.2F}));
    }

    void agentsThatFaceNowhereStepTowardsTheGoal() {
        BushWorldSpec spec;
        spec.map = {{"0", "0", "0"}, {"0", "Hu", "0"}, {"Ro", "0", "0"}};
        spec.maxSteps = 5;
        spec.possibleGoals = {Goal{0, 0, 2, 0}, Goal{2, 2, 2, 2}};
        const std::shared_ptr<const World> world = makeWorld(spec);
        const auto policy = makeShortestPathPolicy(world, kInfinite);
        const auto prior = priorOf(*policy, *world, world->initialConfiguration(), 0);
        // north, west, south, east, pass
        QVERIFY((std::vector<float>(prior.begin(), prior.begin() + 5) ==
                 std::vector<float>{1, 0, 0, 0, 0}));
        QVERIFY((std::vector<float>(prior.begin() + 5, prior.end()) ==
                 std::vector<float>{0, 0, 0.5F, 0.5F, 0}));
    }

    void aGoalThatCannotBeReachedLeavesAllActionsAlike() {
        const auto world = roomOf({"WeWeWeWeWeWe", "WeAy..WeAeWe", "We....We..We", "WeWeWeWeWeWe"},
                                  {Goal{4, 2, 4, 2}});
        const auto policy = makeShortestPathPolicy(world, kInfinite);
        const auto prior = priorOf(*policy, *world, world->initialConfiguration(), 0);
        QVERIFY((prior == std::vector<float>{0.25F, 0.25F, 0.25F, 0.25F}));
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
