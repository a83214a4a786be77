#include <QTest>

#include "tests/core/world/rule_scene.h"
#include "tests/support/test_program.h"

using namespace orrery::reference;
using orrery::test::nothing;
using orrery::test::rowOf;
using orrery::test::RuleScene;
using S = RefState&;

namespace {

RefParameters withActions(const char* name) {
    RefParameters p;
    p.actions = {actionSetNamed(name)};
    return p;
}

}  // namespace

/// Walking, pushing and conflicts: each outcome is worked out by hand from the rules.
class GridRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLoneAgentWalksTurnsAndStopsAtWalls() {
        RuleScene s({"WeWeWeWe", "WeAy..We", "WeWeWeWe"}, "E");
        RULE_CHECK(s.check("F", [](S n) { n.agents[0].at = {2, 1}; }));
        RULE_CHECK(s.check("L", [](S n) { n.agents[0].dir = 3; }));
        RULE_CHECK(s.check("R", [](S n) { n.agents[0].dir = 1; }));
        RULE_CHECK(s.check(".", nothing));
        s.agent(0).dir = 2;
        RULE_CHECK(s.check("F", nothing));
    }

    void turnsWrapAround() {
        RuleScene s({"WeWeWe", "WeAyWe", "WeWeWe"}, "N");
        RULE_CHECK(s.check("R", [](S n) { n.agents[0].dir = 0; }));
        s.agent(0).dir = 0;
        RULE_CHECK(s.check("L", [](S n) { n.agents[0].dir = 3; }));
    }

    void doneAndBuildDoNothing() {
        RuleScene done({"WeWeWeWe", "WeAyAeWe", "WeWeWeWe"}, "SS", withActions("Actions"));
        RULE_CHECK(done.check("XX", nothing));
        RuleScene build({"WeWeWeWe", "WeAyAeWe", "WeWeWeWe"}, "SS", withActions("MineActions"));
        RULE_CHECK(build.check("BB", nothing));
    }

    void minimalActionsHaveForwardFirst() {
        RuleScene s({"WeWeWeWe", "WeAy..We", "WeWeWeWe"}, "E", withActions("MinimalActions"));
        RULE_CHECK(s.check("F", [](S n) { n.agents[0].at = {2, 1}; }));
        RULE_CHECK(s.check("L", [](S n) { n.agents[0].dir = 3; }));
    }

    void nobodyFollowsOrSwaps() {
        RuleScene follow({"WeWeWeWeWe", "WeAyAe..We", "WeWeWeWeWe"}, "EE");
        RULE_CHECK(follow.check("FF", [](S n) { n.agents[1].at = {3, 1}; }));
        // Nor does anyone when the one ahead acts first.
        RuleScene behind({"WeWeWeWeWe", "We..AeAyWe", "WeWeWeWeWe"}, "WW");
        RULE_CHECK(behind.check("FF", [](S n) { n.agents[0].at = {1, 1}; }));
        RuleScene swap({"WeWeWeWe", "WeAyAeWe", "WeWeWeWe"}, "EW");
        RULE_CHECK(swap.check("FF", nothing));
    }

    void theDeadBlockTheirCellAndNeverAct() {
        RuleScene s({"WeWeWeWeWe", "WeAyAe..We", "WeWeWeWeWe", "WeKiWeWeWe", "WeWeWeWeWe"}, "EE");
        s.agent(1).terminated = true;
        RULE_CHECK(s.check("FF", nothing));
        RULE_CHECK(s.check("FL", nothing));
    }

    void twoAgentsWantOneCell() {
        RuleScene s({"WeWeWeWeWe", "WeAy..AeWe", "WeWeWeWeWe"}, "EW");
        RULE_CHECK(s.check("FF", {{0.5,
                                   [](S n) {
                                       n.agents[0].at = {2, 1};
                                   }},
                                  {0.5, [](S n) {
                                       n.agents[1].at = {2, 1};
                                   }}}));
    }

    void threeAgentsWantOneCell() {
        RuleScene s({"WeWeWeWeWe", "WeWeArWeWe", "WeAy..AeWe", "WeWeWeWeWe"}, "SEW");
        RULE_CHECK(s.check("FFF", {{1.0 / 3,
                                    [](S n) {
                                        n.agents[0].at = {2, 2};
                                    }},
                                   {1.0 / 3,
                                    [](S n) {
                                        n.agents[1].at = {2, 2};
                                    }},
                                   {1.0 / 3, [](S n) {
                                        n.agents[2].at = {2, 2};
                                    }}}));
    }

    void winnersActInTheOrderOfTheirBlocks() {
        // Agent 0 drops a ball where 1 and 2 want to go: its block is the first, so it comes first.
        RuleScene first({"WeWeWeWeWeWe", "WeWeArWeBrWe", "WeAy..AeWeWe", "WeWeWeWeWeWe"}, "SEW");
        first.state.items.clear();
        first.agent(0).carried = Item{ItemType::Ball, 'r'};
        RULE_CHECK(first.check("DFF", [](S n) {
            n.agents[0].carried.reset();
            n.items.push_back({ItemType::Ball, {2, 2}, 'r'});
        }));
        // Now the dropper is agent 2: the conflict between 0 and 1 is settled before it acts.
        RuleScene last({"WeWeWeWeWeWe", "WeAy..AeWeWe", "WeWeArWeBrWe", "WeWeWeWeWeWe"}, "EWN");
        last.state.items.clear();
        last.agent(2).carried = Item{ItemType::Ball, 'r'};
        RULE_CHECK(last.check("FFD", {{0.5,
                                       [](S n) {
                                           n.agents[0].at = {2, 1};
                                       }},
                                      {0.5, [](S n) {
                                           n.agents[1].at = {2, 1};
                                       }}}));
    }

    void anyonePushesBlocksButOnlySomePushRocks() {
        RuleScene block({"WeWeWeWeWe", "WeAyBl..We", "WeWeWeWeWe"}, "E");
        RULE_CHECK(block.check("F", [](S n) {
            n.agents[0].at = {2, 1};
            n.mobile[0].at = {3, 1};
        }));
        RuleScene rock({"WeWeWeWeWe", "WeAyRo..We", "WeAeRo..We", "WeWeWeWeWe"}, "EE");
        RULE_CHECK(rock.check("FF", [](S n) {
            n.agents[1].at = {2, 2};
            n.mobile[1].at = {3, 2};
        }));
    }

    void aRunMovesAsOneUnlessSomethingInItMayNot() {
        RuleScene grey({"WeWeWeWeWeWe", "WeAeBlRo..We", "WeWeWeWeWeWe"}, "E");
        RULE_CHECK(grey.check("F", [](S n) {
            n.agents[0].at = {2, 1};
            n.mobile[0].at = {3, 1};
            n.mobile[1].at = {4, 1};
        }));
        RuleScene yellow({"WeWeWeWeWeWe", "WeAyBlRo..We", "WeWeWeWeWeWe"}, "E");
        RULE_CHECK(yellow.check("F", nothing));
        RuleScene wall({"WeWeWeWeWe", "WeAeBlRoWe", "WeWeWeWeWe"}, "E");
        RULE_CHECK(wall.check("F", nothing));
    }

    void thingsArePushedOntoLavaGoalsUnsteadyGroundAndOpenDoors() {
        for (const char* ground : {"La", "Gg", "Sw", "Un", "Or"}) {
            RuleScene s({"WeWeWeWeWe", rowOf("WeAeBl", ground, "We"), "WeWeWeWeWe"}, "E");
            RULE_CHECK(s.check("F", [](S n) {
                n.agents[0].at = {2, 1};
                n.mobile[0].at = {3, 1};
            }));
        }
        for (const char* obstacle : {"Cr", "Lr", "Bu", "Ki", "CB", "Kr", "Br", "Xr", "Me"}) {
            RuleScene s({"WeWeWeWeWe", rowOf("WeAeBl", obstacle, "We"), "WeWeWeWeWe"}, "E");
            RULE_CHECK(s.check("F", nothing));
        }
    }

    void lavaUnderAPushedBlockStillKills() {
        RuleScene s({"WeWeWeWeWeWe", "WeAeBlLa..We", "WeWeWeWeWeWe"}, "E");
        s.put(0, {2, 1});
        s.state.mobile[0].at = {3, 1};
        RULE_CHECK(s.check("F", [](S n) {
            n.agents[0].at = {3, 1};
            n.agents[0].terminated = true;
            n.mobile[0].at = {4, 1};
        }));
    }

    void lavaKillsWhoEntersItAndGoalsDoNot() {
        RuleScene lava({"WeWeWeWe", "WeArLaWe", "WeWeWeWe"}, "E");
        RULE_CHECK(lava.check("F", [](S n) {
            n.agents[0].at = {2, 1};
            n.agents[0].terminated = true;
        }));
        RuleScene goal({"WeWeWeWe", "WeArGgWe", "WeWeWeWe"}, "E");
        RULE_CHECK(goal.check("F", [](S n) { n.agents[0].at = {2, 1}; }));
    }

    void nothingIsPushedWhereSomebodyStoodAtTheStart() {
        // Agent 1 leaves (3,1) first or last: the block may not follow either way.
        RuleScene leaves({"WeWeWeWeWeWe", "WeAyBlAr..We", "WeWeWeWeWeWe"}, "EE");
        RULE_CHECK(leaves.check("FF", [](S n) { n.agents[1].at = {4, 1}; }));
        RuleScene before({"WeWeWeWeWeWe", "We..ArBlAyWe", "WeWeWeWeWeWe"}, "WW");
        RULE_CHECK(before.check("FF", [](S n) { n.agents[0].at = {1, 1}; }));
        RuleScene stays({"WeWeWeWeWe", "WeAyBlArWe", "WeWeWeWeWe"}, "EE");
        RULE_CHECK(stays.check("F.", nothing));
    }

    void twoPushesContestTheLandingCellAndTheLoserPushesOn() {
        // Both blocks would land on (3,2). The loser acts afterwards: it then faces a run of two.
        RuleScene s({"WeWeWeWeWeWe", "WeWeWe..WeWe", "WeAyBl....We", "WeWeWeBlWeWe", "WeWeWeArWeWe",
                     "WeWeWeWeWeWe"},
                    "EN");
        RULE_CHECK(s.check("FF", {{0.5,
                                   [](S n) {
                                       n.agents[0].at = {2, 2};
                                       n.agents[1].at = {3, 3};
                                       n.mobile[0].at = {3, 1};
                                       n.mobile[1].at = {3, 2};
                                   }},
                                  {0.5, [](S n) {
                                       n.agents[0].at = {2, 2};
                                       n.agents[1].at = {3, 3};
                                       n.mobile[0].at = {3, 2};
                                       n.mobile[1].at = {4, 2};
                                   }}}));
    }

    void aWalkerAndAPushContestTheLandingCell() {
        RuleScene s({"WeWeWeWeWe", "WeWeWeArWe", "WeAyBl..We", "WeWeWeWeWe"}, "SE");
        // Agent 0 is the red walker (row-major order), agent 1 the yellow pusher.
        RULE_CHECK(s.check("FF", {{0.5,
                                   [](S n) {
                                       n.agents[0].at = {3, 2};
                                   }},
                                  {0.5, [](S n) {
                                       n.agents[1].at = {2, 2};
                                       n.mobile[0].at = {3, 2};
                                   }}}));
    }

    void unpushableRunsAreNoConflict() {
        // Two yellow agents against one rock from two sides: no block, nothing happens.
        RuleScene s({"WeWeWeWeWe", "WeAyRoAyWe", "WeWeWeWeWe"}, "EW");
        RULE_CHECK(s.check("FF", nothing));
    }

    void agentsOfOtherColoursWalkButMoveNoRocks() {
        for (const char* agent : {"Ar", "Ag", "Ab", "Ap"}) {
            RuleScene s({"WeWeWeWeWe", rowOf("We", agent, "..RoWe"), "WeWeWeWeWe"}, "E");
            RULE_CHECK(s.check("F", [](S n) { n.agents[0].at = {2, 1}; }));
            s.put(0, {2, 1});
            s.agent(0).dir = 2;
            RULE_CHECK(s.check("F", [](S n) { n.agents[0].at = {1, 1}; }));
        }
        RefParameters p;
        p.pushRockColors = std::string("r");
        RuleScene red({"WeWeWeWeWe", "WeArRo..We", "WeAeRo..We", "WeWeWeWeWe"}, "EE", p);
        RULE_CHECK(red.check("FF", [](S n) {
            n.agents[0].at = {2, 1};
            n.mobile[0].at = {3, 1};
        }));
    }

    void pausedAgentsBlockPushesAndWalkers() {
        RuleScene s({"WeWeWeWeWe", "WeAyBlAeWe", "WeWeWeWeWe", "WePaWeWeWe", "WeWeWeWeWe"}, "EE");
        s.agent(1).paused = true;
        RULE_CHECK(s.check("FL", nothing));
    }
};

ORRERY_TEST(GridRulesTest)
#include "grid_rules_test.moc"
