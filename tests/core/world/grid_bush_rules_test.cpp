#include <QTest>

#include "tests/core/world/chance_parameters.h"
#include "tests/core/world/rule_scene.h"
#include "tests/support/test_program.h"

using namespace orrery::reference;
using orrery::test::bushes;
using orrery::test::magic;
using orrery::test::nothing;
using orrery::test::RuleScene;
using orrery::test::stumbling;
using S = RefState&;
using Expected = RuleScene::Expected;

/// Bushes, and all kinds of chance in one step: each distribution is worked out by hand.
class GridBushRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void robotsTrampleBushesForEver() {
        RuleScene s({"WeWeWeWe", "WeAeBuWe", "WeWeWeWe"}, "E", bushes(0.7));
        RULE_CHECK(s.check("F", [](S n) {
            n.agents[0].at = {2, 1};
            n.fixtures[0].trampled = true;
        }));
        RefParameters rocks = bushes(0.7);
        rocks.pushRockColors = std::string("r");
        RuleScene red({"WeWeWeWe", "WeArBuWe", "WeWeWeWe"}, "E", rocks);
        RULE_CHECK(red.check("F", [](S n) {
            n.agents[0].at = {2, 1};
            n.fixtures[0].trampled = true;
        }));
        RefParameters enters = bushes(0.7);
        enters.canEnterMagicWalls = {true};
        RuleScene yellow({"WeWeWeWe", "WeAyBuWe", "WeWeWeWe"}, "E", enters);
        RULE_CHECK(yellow.check("F", [](S n) {
            n.agents[0].at = {2, 1};
            n.fixtures[0].trampled = true;
        }));
    }

    void humansEnterBushesWithSomeLuck() {
        const std::vector<std::string> map = {"WeWeWeWeWe", "WeAyBu..We", "WeWeWeAeWe",
                                              "WeWeWeWeWe"};
        const auto in = [](S n) { n.agents[0].at = {2, 1}; };
        RULE_CHECK(RuleScene(map, "EE", bushes(0.7)).check("F.", {{0.7, in}, {0.3, nothing}}));
        RULE_CHECK(RuleScene(map, "EE", bushes(1.0)).check("F.", in));
        RULE_CHECK(RuleScene(map, "EE", bushes(0.0)).check("F.", {{0.0, in}, {1.0, nothing}}));
        RuleScene inside(map, "EE", bushes(0.7));
        inside.put(0, {2, 1});
        RULE_CHECK(inside.check("F.", [](S n) { n.agents[0].at = {3, 1}; }));
        RuleScene trampled(map, "EE", bushes(0.7));
        trampled.state.fixtures[0].trampled = true;
        RULE_CHECK(trampled.check("F.", in));
    }

    void aBushIsEnteredByOneOnly() {
        RuleScene s({"WeWeWeWeWe", "WeAyBuAyWe", "WeWeWeWeWe"}, "EW", bushes(0.7));
        RULE_CHECK(s.check("FF", {{0.7,
                                   [](S n) {
                                       n.agents[0].at = {2, 1};
                                   }},
                                  {0.21,
                                   [](S n) {
                                       n.agents[1].at = {2, 1};
                                   }},
                                  {0.09, nothing}}));
        // With certain bushes the two are ordinary walkers with a conflict.
        RuleScene certain({"WeWeWeWeWe", "WeAyBuAyWe", "WeWeWeWeWe"}, "EW", bushes(1.0));
        RULE_CHECK(certain.check("FF", {{0.5,
                                         [](S n) {
                                             n.agents[0].at = {2, 1};
                                         }},
                                        {0.5, [](S n) {
                                             n.agents[1].at = {2, 1};
                                         }}}));
    }

    void aBushTrampledMeanwhileIsTaken() {
        RuleScene s({"WeWeWeWeWe", "WeAyBuAeWe", "WeWeWeWeWe"}, "EW", bushes(0.7));
        RULE_CHECK(s.check("FF", [](S n) {
            n.agents[1].at = {2, 1};
            n.fixtures[0].trampled = true;
        }));
    }

    void nobodyFollowsIntoABush() {
        RuleScene s({"WeWeWeWeWe", "WeAyBuAyWe", "WeWeWe..We", "WeWeWeWeWe"}, "EE", bushes(0.7));
        s.put(1, {2, 1});
        RULE_CHECK(s.check("FF", [](S n) { n.agents[1].at = {3, 1}; }));
        // A robot neither tramples nor enters while somebody is inside.
        RuleScene robot({"WeWeWeWeWe", "WeAeBuAyWe", "WeWeWeWeWe"}, "EE", bushes(0.7));
        robot.put(1, {2, 1});
        RULE_CHECK(robot.check("F.", nothing));
    }

    void allKindsOfChanceInOneStepMultiply() {
        RefParameters p = stumbling(0.4);
        p.magicSolidify = 0.2;
        p.bushEntry = 0.7;
        p.canEnterMagicWalls = {false, true, false, false};
        RuleScene s(
            {"WeWeWeWeWeWe", "WeAr..WeUnWe", "WeArMwWe..We", "WeAyBuWeArWe", "WeWeWeWeWeWe"},
            "EEEN", p);
        // 0 walks, 1 enters a magic wall, 2 a bush, 3 stands on unsteady ground at the dead end of
        // a corridor and faces south.
        s.put(3, {4, 1});
        s.agent(3).dir = 1;
        std::vector<Expected> expected;
        for (int wall = 0; wall < 3; ++wall)
            for (int bush = 0; bush < 2; ++bush)
                for (int turn = 0; turn < 3; ++turn) {
                    const double probability = (wall == 0   ? 0.5
                                                : wall == 1 ? 0.4
                                                            : 0.1) *
                                               (bush == 0 ? 0.7 : 0.3) * (turn == 0 ? 0.6 : 0.2);
                    expected.push_back({probability, [=](S n) {
                                            n.agents[0].at = {2, 1};
                                            if (wall == 0) n.agents[1].at = {2, 2};
                                            if (wall == 2) n.fixtures[0].active = false;
                                            if (bush == 0) n.agents[2].at = {2, 3};
                                            if (turn == 0) n.agents[3].at = {4, 2};
                                            if (turn == 1) n.agents[3].dir = 0;
                                            if (turn == 2) n.agents[3].dir = 2;
                                        }});
                }
        RULE_CHECK(s.check("FFFF", expected));
    }

    void magicIsTriedBeforeBushesAndAfterUnsteadyMoves() {
        // The unsteady agent moves away before anything else of chance happens; the magic agent
        // then enters its wall, and the bush agent enters last: all of it in one step.
        RefParameters p = stumbling(0.0);
        p.magicSolidify = 0.0;
        p.bushEntry = 0.5;
        p.canEnterMagicWalls = {false, true, false};
        RuleScene s({"WeWeWeWeWe", "WeUn..ArWe", "WeAyMwWeWe", "WeAyBuWeWe", "WeWeWeWeWe"}, "WEE",
                    p);
        s.put(0, {1, 1});
        s.agent(0).dir = 0;
        RULE_CHECK(s.check("FFF", {{0.25,
                                    [](S n) {
                                        n.agents[0].at = {2, 1};
                                        n.agents[1].at = {2, 2};
                                        n.agents[2].at = {2, 3};
                                    }},
                                   {0.25,
                                    [](S n) {
                                        n.agents[0].at = {2, 1};
                                        n.agents[1].at = {2, 2};
                                    }},
                                   {0.25,
                                    [](S n) {
                                        n.agents[0].at = {2, 1};
                                        n.agents[2].at = {2, 3};
                                    }},
                                   {0.25,
                                    [](S n) {
                                        n.agents[0].at = {2, 1};
                                    }},
                                   {0.0,
                                    [](S n) {
                                        n.agents[0].at = {2, 1};
                                        n.agents[2].at = {2, 3};
                                        n.fixtures[0].active = false;
                                    }},
                                   {0.0, [](S n) {
                                        n.agents[0].at = {2, 1};
                                        n.fixtures[0].active = false;
                                    }}}));
    }
};

ORRERY_TEST(GridBushRulesTest)
#include "grid_bush_rules_test.moc"
