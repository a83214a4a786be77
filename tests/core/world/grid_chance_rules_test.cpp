#include <QTest>

#include "tests/core/world/chance_parameters.h"
#include "tests/core/world/rule_scene.h"
#include "tests/support/test_program.h"

using namespace orrery::reference;
using orrery::test::magic;
using orrery::test::nothing;
using orrery::test::rowOf;
using orrery::test::RuleScene;
using orrery::test::stumbling;
using S = RefState&;
using Expected = RuleScene::Expected;

/// Unsteady ground and magic walls: each distribution is worked out by hand.
class GridChanceRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void unsteadyGroundTurnsAndMoves() {
        RuleScene s({"WeWeWeWeWe", "We......We", "WeAyUn..We", "We......We", "WeWeWeWeWe"}, "E",
                    stumbling(0.4));
        s.put(0, {2, 2});
        RULE_CHECK(s.check("F", {{0.6,
                                  [](S n) {
                                      n.agents[0].at = {3, 2};
                                  }},
                                 {0.2,
                                  [](S n) {
                                      n.agents[0].dir = 3;
                                      n.agents[0].at = {2, 1};
                                  }},
                                 {0.2, [](S n) {
                                      n.agents[0].dir = 1;
                                      n.agents[0].at = {2, 3};
                                  }}}));
        RULE_CHECK(s.check("L", [](S n) { n.agents[0].dir = 3; }));
        // Walking onto it is an ordinary step.
        s.put(0, {1, 2});
        RULE_CHECK(s.check("F", [](S n) { n.agents[0].at = {2, 2}; }));
    }

    void theTurnStaysWhenTheMoveIsBlocked() {
        RuleScene s({"WeWeWeWeWe", "WeAyUn..We", "WeWeWeWeWe"}, "E", stumbling(0.4));
        s.put(0, {2, 1});
        RULE_CHECK(s.check("F", {{0.6,
                                  [](S n) {
                                      n.agents[0].at = {3, 1};
                                  }},
                                 {0.2, [](S n) { n.agents[0].dir = 3; }},
                                 {0.2, [](S n) { n.agents[0].dir = 1; }}}));
    }

    void stumbleProbabilitiesZeroAndOne() {
        RuleScene never({"WeWeWeWeWe", "WeAyUn..We", "WeWeWeWeWe"}, "E", stumbling(0.0));
        never.put(0, {2, 1});
        RULE_CHECK(never.check("F", [](S n) { n.agents[0].at = {3, 1}; }));
        RuleScene always({"WeWeWeWeWe", "WeAyUn..We", "WeWeWeWeWe"}, "E", stumbling(1.0));
        always.put(0, {2, 1});
        RULE_CHECK(always.check("F", {{0.0,
                                       [](S n) {
                                           n.agents[0].at = {3, 1};
                                       }},
                                      {0.5, [](S n) { n.agents[0].dir = 3; }},
                                      {0.5, [](S n) { n.agents[0].dir = 1; }}}));
    }

    void unsteadyAgentsWantingOneCellBlockEachOther() {
        RuleScene s({"WeWeWeWeWe", "WeAyWeAeWe", "WeUn..UnWe", "WeWeWeWeWe"}, "EW");
        s.put(0, {1, 2});
        s.put(1, {3, 2});
        // Agent 0: east, or turned north (free cell 1,1) or south (wall); agent 1: west, or turned
        // south (left, wall) or north (right, free cell 3,1). Only east with west meets.
        const auto up = [](S n, int i) {
            n.agents[i].dir = 3;
            n.agents[i].at.y = 1;
        };
        RULE_CHECK(s.check("FF", {{0.25, nothing},
                                  {0.125,
                                   [](S n) {
                                       n.agents[0].at = {2, 2};
                                       n.agents[1].dir = 1;
                                   }},
                                  {0.125,
                                   [&](S n) {
                                       n.agents[0].at = {2, 2};
                                       up(n, 1);
                                   }},
                                  {0.125,
                                   [&](S n) {
                                       n.agents[1].at = {2, 2};
                                       up(n, 0);
                                   }},
                                  {0.125,
                                   [](S n) {
                                       n.agents[1].at = {2, 2};
                                       n.agents[0].dir = 1;
                                   }},
                                  {0.0625,
                                   [&](S n) {
                                       up(n, 0);
                                       n.agents[1].dir = 1;
                                   }},
                                  {0.0625,
                                   [&](S n) {
                                       up(n, 0);
                                       up(n, 1);
                                   }},
                                  {0.0625,
                                   [](S n) {
                                       n.agents[0].dir = 1;
                                       n.agents[1].dir = 1;
                                   }},
                                  {0.0625, [&](S n) {
                                       n.agents[0].dir = 1;
                                       up(n, 1);
                                   }}}));
    }

    void unsteadyAgentsWantingOneLandingCellBlockEachOther() {
        // Two runs would land on (3,1); the turns all end at walls.
        RuleScene s({"WeWeWeWeWeWeWe", "WeUnBl..BlUnWe", "WeAyWeWeWeArWe", "WeWeWeWeWeWeWe"}, "EW",
                    stumbling(0.0));
        s.put(0, {1, 1});
        s.put(1, {5, 1});
        RULE_CHECK(s.check("FF", nothing));
        // Alone, each of them pushes.
        RULE_CHECK(s.check("F.", [](S n) {
            n.agents[0].at = {2, 1};
            n.mobile[0].at = {3, 1};
        }));
    }

    void anUnsteadyAgentTakesNoCellThatWasOccupiedAtTheStart() {
        RuleScene s({"WeWeWeWeWe", "WeUnAr..We", "WeAyWeWeWe", "WeWeWeWeWe"}, "EE", stumbling(0.0));
        // Row-major order: the red agent is 0, the yellow one 1.
        s.put(1, {1, 1});
        RULE_CHECK(s.check("FF", [](S n) { n.agents[0].at = {3, 1}; }));
    }

    void unsteadyAgentsActAfterTheOthers() {
        // The red agent wins the cell for certain: unsteady agents are no part of conflict blocks.
        RuleScene s({"WeWeWeWeWe", "WeUn..ArWe", "WeAyWeWeWe", "WeWeWeWeWe"}, "WE", stumbling(0.0));
        s.put(1, {1, 1});
        RULE_CHECK(s.check("FF", [](S n) { n.agents[0].at = {2, 1}; }));
    }

    void anUnsteadyAgentKilledMeanwhileDoesNotEvenTurn() {
        RuleScene s({"WeWeWeWeWe", "WeAyKiWeWe", "WeAeUn..We", "WeWeWeWeWe"}, "EE", stumbling(0.5));
        s.put(1, {2, 2});
        RULE_CHECK(s.check("TF", [](S n) { n.agents[1].terminated = true; }));
    }

    void magicWallsOpenOnTheirSide() {
        RuleScene s({"WeWeWeWeWe", "WeAyMwArWe", "WeWeWeWeWe"}, "EW", magic(0.1, 2));
        RULE_CHECK(s.check("F.", {{0.5,
                                   [](S n) {
                                       n.agents[0].at = {2, 1};
                                   }},
                                  {0.45, nothing},
                                  {0.05, [](S n) { n.fixtures[0].active = false; }}}));
        // From its east side it is a wall; so it is for those who cannot enter, and when solid.
        RULE_CHECK(s.check(".F", nothing));
        RuleScene plain({"WeWeWeWe", "WeAyMwWe", "WeWeWeWe"}, "E");
        RULE_CHECK(plain.check("F", nothing));
        s.state.fixtures[0].active = false;
        RULE_CHECK(s.check("F.", nothing));
    }

    void everySideOfAMagicWallIsItsOwn() {
        // The agent stands below, above, right and left of the wall and faces it.
        const struct {
            const char* code = nullptr;
            Cell at;
            int dir = 0;
        } kSides[] = {{"Ms", {2, 3}, 3}, {"Mn", {2, 1}, 1}, {"Me", {3, 2}, 2}, {"Mw", {1, 2}, 0}};
        for (const auto& wall : kSides)
            for (const auto& from : kSides) {
                RuleScene s({"WeWeWeWeWe", "WeAy....We", rowOf("We..", wall.code, "..We"),
                             "We......We", "WeWeWeWeWe"},
                            "E", magic(0.0, 1));
                s.put(0, from.at);
                s.agent(0).dir = from.dir;
                if (wall.code == from.code)
                    RULE_CHECK(s.check("F", {{0.5,
                                              [](S n) {
                                                  n.agents[0].at = {2, 2};
                                              }},
                                             {0.5, nothing},
                                             {0.0, [](S n) { n.fixtures[0].active = false; }}}));
                else
                    RULE_CHECK(s.check("F", nothing));
            }
    }

    void solidifyProbabilityOne() {
        RuleScene s({"WeWeWeWe", "WeAyMwWe", "WeWeWeWe"}, "E", magic(1.0, 1));
        RULE_CHECK(s.check("F", {{0.5,
                                  [](S n) {
                                      n.agents[0].at = {2, 1};
                                  }},
                                 {0.0, nothing},
                                 {0.5, [](S n) { n.fixtures[0].active = false; }}}));
    }

    void magicEntryProbabilitiesZeroAndOne() {
        RefParameters p = magic(0.1, 1);
        p.magicEntry = 0.0;
        RuleScene never({"WeWeWeWe", "WeAyMwWe", "WeWeWeWe"}, "E", p);
        RULE_CHECK(never.check("F", {{0.0,
                                      [](S n) {
                                          n.agents[0].at = {2, 1};
                                      }},
                                     {0.9, nothing},
                                     {0.1, [](S n) { n.fixtures[0].active = false; }}}));
        // Who always enters never fails, so the wall is never made solid.
        p.magicEntry = 1.0;
        RuleScene always({"WeWeWeWe", "WeAyMwWe", "WeWeWeWe"}, "E", p);
        RULE_CHECK(always.check("F", {{1.0,
                                       [](S n) {
                                           n.agents[0].at = {2, 1};
                                       }},
                                      {0.0, nothing},
                                      {0.0, [](S n) { n.fixtures[0].active = false; }}}));
    }

    void leavingAMagicWallIsOrdinaryMovement() {
        RuleScene s({"WeWeWeWeWe", "WeAyMw..We", "WeWeWeWeWe"}, "E", magic(0.1, 1));
        s.put(0, {2, 1});
        RULE_CHECK(s.check("F", [](S n) { n.agents[0].at = {3, 1}; }));
        s.state.fixtures[0].active = false;
        RULE_CHECK(s.check("F", [](S n) { n.agents[0].at = {3, 1}; }));
    }

    void wallsMagicOnAllSidesNeedCompanyUnlessMended() {
        const std::vector<std::string> map = {"WeWeWeWeWe", "WeAyMaWeWe", "WeAr....We",
                                              "WeWeWeWeWe"};
        const std::vector<Expected> entry = {{0.5,
                                              [](S n) {
                                                  n.agents[0].at = {2, 1};
                                              }},
                                             {0.45, nothing},
                                             {0.05, [](S n) { n.fixtures[0].active = false; }}};
        RuleScene faithful(map, "EW", magic(0.1, 2));
        RULE_CHECK(faithful.check("F.", nothing));
        RULE_CHECK(faithful.check("FL", [](S n) { n.agents[1].dir = 1; }));
        RULE_CHECK(faithful.check("FP", entry));
        RuleScene mended(map, "EW", magic(0.1, 2, true));
        RULE_CHECK(mended.check("F.", entry));
    }

    void aWallMagicOnAllSidesWorksFromUnsteadyGround() {
        // The forward counts as stochastic for another reason, so that the wall is looked at.
        RuleScene s({"WeWeWeWe", "WeUnMaWe", "WeAyWeWe", "WeWeWeWe"}, "E", magic(0.1, 1));
        s.put(0, {1, 1});
        RULE_CHECK(s.check("F", {{0.5,
                                  [](S n) {
                                      n.agents[0].at = {2, 1};
                                  }},
                                 {0.45, nothing},
                                 {0.05, [](S n) { n.fixtures[0].active = false; }}}));
    }

    void twoAgentsEnterOneMagicWall() {
        RuleScene s({"WeWeWeWeWe", "WeAyMaArWe", "WeWeWeWeWe"}, "EW", magic(0.1, 2));
        const auto solid = [](S n) { n.fixtures[0].active = false; };
        const auto inside = [](S n, int i) { n.agents[i].at = {2, 1}; };
        // 0 enters (.5): 1 fails and may still solidify it. 0 stays (.45) or solidifies (.05): 1 is
        // free to enter, even the wall that has just become solid.
        RULE_CHECK(s.check("FF", {{0.475, [&](S n) { inside(n, 0); }},
                                  {0.025,
                                   [&](S n) {
                                       inside(n, 0);
                                       solid(n);
                                   }},
                                  {0.225, [&](S n) { inside(n, 1); }},
                                  {0.025,
                                   [&](S n) {
                                       inside(n, 1);
                                       solid(n);
                                   }},
                                  {0.2025, nothing},
                                  {0.0475, solid}}));
    }

    void anOccupiedMagicWallIsAnAgentInTheWay() {
        RuleScene s({"WeWeWeWeWeWe", "WeAyMw..ArWe", "WeWeWeWeWeWe"}, "EE", magic(0.1, 2));
        s.put(1, {2, 1});
        RULE_CHECK(s.check("F.", nothing));
        RULE_CHECK(s.check("FF", [](S n) { n.agents[1].at = {3, 1}; }));
    }
};

ORRERY_TEST(GridChanceRulesTest)
#include "grid_chance_rules_test.moc"
