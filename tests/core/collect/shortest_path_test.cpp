#include <QTest>
#include <cmath>
#include <vector>

#include "core/bush/bush_spec.h"
#include "core/collect/human_prior.h"
#include "tests/core/collect/collect_worlds.h"
#include "tests/core/collect/human_priors.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

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

/// Humans that take the shortest path to their goal, with doors, keys and rocks on it.
class ShortestPathTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
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
};

ORRERY_TEST(ShortestPathTest)
#include "shortest_path_test.moc"
