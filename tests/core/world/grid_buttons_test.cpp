#include <QTest>

#include "tests/core/world/rule_scene.h"
#include "tests/support/test_program.h"

using namespace orrery::reference;
using orrery::test::nothing;
using orrery::test::rowOf;
using orrery::test::RuleScene;
using S = RefState&;

namespace {

constexpr int kLeft = 1, kForward = 3, kPickup = 4, kToggle = 6;

/// Yellow agent 0 and grey agent 1 on both sides of one thing, all in a row, with a free cell
/// behind the grey one.
std::vector<std::string> yellowThingGrey(const char* code) {
    return {"WeWeWeWeWeWe", rowOf("WeAy", code, "Ae..We"), "WeWeWeWeWeWe"};
}

void pauseGrey(S n, bool on) {
    n.fixtures[0].on = on;
    n.agents[1].paused = on;
}

}  // namespace

/// Kill buttons, pause switches, disabling switches and control buttons, worked out by hand.
class GridButtonsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyYellowAgentsPressKillButtons() {
        RuleScene s(yellowThingGrey("Ki"), "EW");
        RULE_CHECK(s.check("T.", [](S n) { n.agents[1].terminated = true; }));
        RULE_CHECK(s.check(".T", nothing));
        RuleScene red({"WeWeWeWeWe", "WeArKiAeWe", "WeWeWeWeWe"}, "EW");
        RULE_CHECK(red.check("T.", nothing));
        RULE_CHECK(s.check("F.", nothing));
    }

    void killingReachesThePausedAndTheDeadStayAsTheyAre() {
        RuleScene s({"WeWeWeWeWeWe", "WeAyKiAeAeWe", "WePaWeWeArWe", "WeWeWeWeWeWe"}, "EWEE");
        s.agent(1).paused = true;
        s.agent(2).terminated = true;
        RULE_CHECK(s.check("T...", [](S n) { n.agents[1].terminated = true; }));
    }

    void aKillingSharesAConflictWithTheGreyAgent() {
        // Whoever wins acts first: the grey agent walks and dies, or dies at once.
        RuleScene s(yellowThingGrey("Ki"), "EE");
        RULE_CHECK(s.check("TF", {{0.5, [](S n) { n.agents[1].terminated = true; }},
                                  {0.5, [](S n) {
                                       n.agents[1].at = {4, 1};
                                       n.agents[1].terminated = true;
                                   }}}));
        // A turn counts, too, once there are two agents that do more than turn.
        RULE_CHECK(s.check("TL", [](S n) { n.agents[1].terminated = true; }));
    }

    void onlyTheWinnerOfAKillingIsDrawn() {
        // Greys 0 and 1, killer 2. If a grey one wins, the rest follow in index order, killer last.
        RuleScene s({"WeWeWeWeWeWe", "WeAe..Ae..We", "WeAyKiWeWeWe", "WeWeWeWeWeWe"}, "EEE");
        RULE_CHECK(s.check(
            "FFT", {{1.0 / 3, [](S n) { n.agents[0].terminated = n.agents[1].terminated = true; }},
                    {2.0 / 3, [](S n) {
                         n.agents[0].at = {2, 1};
                         n.agents[1].at = {4, 1};
                         n.agents[0].terminated = n.agents[1].terminated = true;
                     }}}));
        // Killer 0 among greys 1 and 2: only the grey winner still acts.
        RuleScene first({"WeWeWeWeWeWe", "WeAyKiWeWeWe", "WeAe..Ae..We", "WeWeWeWeWeWe"}, "EEE");
        const auto dead = [](S n) { n.agents[1].terminated = n.agents[2].terminated = true; };
        RULE_CHECK(first.check("TFF", {{1.0 / 3, dead},
                                       {1.0 / 3,
                                        [&](S n) {
                                            dead(n);
                                            n.agents[1].at = {2, 2};
                                        }},
                                       {1.0 / 3, [&](S n) {
                                            dead(n);
                                            n.agents[2].at = {4, 2};
                                        }}}));
    }

    void pausingStopsAndFreesTheGreyAgents() {
        RuleScene s(yellowThingGrey("Pa"), "EE");
        RULE_CHECK(s.check("T.", [](S n) { pauseGrey(n, true); }));
        RULE_CHECK(s.check(".T", nothing));
        pauseGrey(s.state, true);
        RULE_CHECK(s.check(".F", nothing));
        RULE_CHECK(s.check("TF", [](S n) { pauseGrey(n, false); }));
    }

    void pausingMarksTheDeadToo() {
        RuleScene s({"WeWeWeWeWe", "WeAyPaAeWe", "WeWeWeWeWe", "WeKiWeWeWe", "WeWeWeWeWe"}, "EW");
        s.agent(1).terminated = true;
        RULE_CHECK(s.check("T.", [](S n) { pauseGrey(n, true); }));
    }

    void aPressSharesAConflictWithTheGreyAgent() {
        RuleScene s({"WeWeWeWeWeWe", "WeAyPaWe..We", "WeWeWeWeAeWe", "WeWeWeWeWeWe"}, "EN");
        RULE_CHECK(
            s.check("TF", {{0.5, [](S n) { pauseGrey(n, true); }}, {0.5, [](S n) {
                                                                        pauseGrey(n, true);
                                                                        n.agents[1].at = {4, 1};
                                                                    }}}));
    }

    void twoPressesInOneStepCancelButTheirOrderMatters() {
        // Yellow 0 and 2 press one switch, grey 1 walks: one conflict of three. If 0 wins, grey is
        // paused when its turn comes; if 2 wins, 0 has freed it again by then.
        RuleScene s(
            {"WeWeWeWeWeWe", "WeWeAyWe..We", "WeWePaWeAeWe", "WeWeAyWeWeWe", "WeWeWeWeWeWe"},
            "SNN");
        RULE_CHECK(s.check("TFT", {{1.0 / 3, nothing}, {2.0 / 3, [](S n) {
                                                            n.agents[1].at = {4, 1};
                                                        }}}));
        // With the grey agent last, both have pressed before its turn, or it has acted already.
        RuleScene last({"WeWeWeWeWeWe", "WeAyPaWe..We", "WeWeAyWeAeWe", "WeWeWeWeWeWe"}, "ENN");
        RULE_CHECK(last.check("TTF", [](S n) { n.agents[2].at = {4, 1}; }));
    }

    void twoSwitchesPressedInOneStepBothPause() {
        RuleScene s(
            {"WeWeWeWeWeWe", "WeAyPaWe..We", "WeWeWeWeAeWe", "WeWeAyPaWeWe", "WeWeWeWeWeWe"},
            "ENE");
        const auto paused = [](S n) {
            n.fixtures[0].on = n.fixtures[1].on = true;
            n.agents[1].paused = true;
        };
        RULE_CHECK(s.check("TFT", {{2.0 / 3, paused}, {1.0 / 3, [&](S n) {
                                                           paused(n);
                                                           n.agents[1].at = {4, 1};
                                                       }}}));
    }

    void disablingSwitchesFlipAllThingsOfTheirKind() {
        RuleScene s({"WeWeWeWeWe", "WeAedKAyWe", "WeKiPaKiWe", "WeWeWeWeWe"}, "EW");
        // Fixtures in row-major order: kill button, pause switch, kill button.
        s.state.fixtures[2].enabled = false;
        RULE_CHECK(s.check("T.", [](S n) {
            n.fixtures[0].enabled = false;
            n.fixtures[2].enabled = true;
        }));
        RULE_CHECK(s.check(".T", nothing));
        RULE_CHECK(s.check("F.", nothing));
    }

    void disabledKillButtonsAndPauseSwitchesDoNothing() {
        RuleScene kill({"WeWeWeWeWeWe", "WeAyKiAe..We", "WeWedKWeWeWe", "WeWeWeWeWeWe"}, "EE");
        kill.state.fixtures[0].enabled = false;
        RULE_CHECK(kill.check("T.", nothing));
        // Without effect there is no conflict either: the grey agent walks for certain.
        RULE_CHECK(kill.check("TF", [](S n) { n.agents[1].at = {4, 1}; }));
        RuleScene pause({"WeWeWeWeWeWe", "WeAyPaAe..We", "WeWedPWeWeWe", "WeWeWeWeWeWe"}, "EE");
        pause.state.fixtures[0].enabled = false;
        RULE_CHECK(pause.check("TF", [](S n) { n.agents[1].at = {4, 1}; }));
    }

    void aDisabledKillButtonChangesNoOrder() {
        // Agent 1 drops a ball where grey agent 2 wants to go. Were 0 and 2 in one conflict, 2
        // would come first half of the time.
        RuleScene s({"WeWeWeWeWe", "WeAyKiArWe", "WeAe....We", "WedKBrWeWe", "WeWeWeWeWe"}, "ESE");
        s.put(1, {3, 2});
        s.agent(1).dir = 2;
        s.state.fixtures[0].enabled = false;
        s.state.items.clear();
        s.agent(1).carried = Item{ItemType::Ball, 'r'};
        RULE_CHECK(s.check("TDF", [](S n) {
            n.agents[1].carried.reset();
            n.items.push_back({ItemType::Ball, {2, 2}, 'r'});
        }));
    }

    void disablingAPauseSwitchThatIsOnFreesTheGreyAgents() {
        RuleScene s({"WeWeWeWeWe", "WeAedPAeWe", "WePaAyWeWe", "WeWeWeWeWe"}, "EWE");
        s.state.fixtures[0].on = true;
        s.agent(1).paused = true;
        RULE_CHECK(s.check("T..", [](S n) {
            n.fixtures[0].enabled = false;  // it stays on
            n.agents[1].paused = false;
        }));
        // Enabling it again pauses nobody.
        s.state.fixtures[0].enabled = false;
        s.agent(1).paused = false;
        RULE_CHECK(s.check("T..", [](S n) { n.fixtures[0].enabled = true; }));
        // Disabling one that is off frees nobody.
        s.state.fixtures[0].enabled = true;
        s.state.fixtures[0].on = false;
        s.agent(1).paused = true;
        RULE_CHECK(s.check("T..", [](S n) { n.fixtures[0].enabled = false; }));
    }

    void controlButtonsWaitForTheProgrammersNextAction() {
        RuleScene s(yellowThingGrey("CB"), "EW");
        RULE_CHECK(s.check(".T", [](S n) {
            n.fixtures[0].awaiting = true;
            n.fixtures[0].controlled = 1;
        }));
        RULE_CHECK(s.check("T.", nothing));
        s.state.fixtures[0].awaiting = true;
        s.state.fixtures[0].controlled = 1;
        const auto stored = [](S n, int id) {
            n.fixtures[0].awaiting = false;
            n.fixtures[0].triggered = id;
        };
        RULE_CHECK(s.check("..", nothing));
        RULE_CHECK(s.check(".F", [&](S n) { stored(n, kForward); }));
        RULE_CHECK(s.check(".P", [&](S n) { stored(n, kPickup); }));
        RULE_CHECK(s.check(".L", [&](S n) {
            stored(n, kLeft);
            n.agents[1].dir = 1;
        }));
        // Even a toggle of the same button is recorded, and does nothing else.
        RULE_CHECK(s.check(".T", [&](S n) { stored(n, kToggle); }));
    }

    void yellowAgentsTriggerWhatIsStored() {
        RuleScene s(yellowThingGrey("CB"), "EW");
        s.state.fixtures[0].controlled = 1;
        RULE_CHECK(s.check("T.", nothing));
        s.state.fixtures[0].triggered = kLeft;
        RULE_CHECK(s.check("T.", [](S n) { n.agents[1].forced = kLeft; }));
        // Also while awaiting: the old value counts.
        s.state.fixtures[0].awaiting = true;
        RULE_CHECK(s.check("T.", [](S n) { n.agents[1].forced = kLeft; }));
        // Recording comes second here (index order): the old value is forced, the new one stored.
        RULE_CHECK(s.check("TF", [](S n) {
            n.agents[1].forced = kLeft;
            n.fixtures[0].awaiting = false;
            n.fixtures[0].triggered = kForward;
        }));
    }

    void forcedActionsReplaceTheChosenOneOnce() {
        RuleScene s(yellowThingGrey("CB"), "EE");
        s.agent(1).forced = kForward;
        RULE_CHECK(s.check("..", [](S n) { n.agents[1].at = {4, 1}; }));
        RULE_CHECK(s.check(".L", [](S n) { n.agents[1].at = {4, 1}; }));
    }

    void forcedActionsOfTheDeadAndPausedAreForgotten() {
        RuleScene s({"WeWeWeWeWeWe", "WeAyCBAe..We", "WeKiWePaWeWe", "WeWeWeWeWeWe"}, "EE");
        s.agent(1).forced = kForward;
        s.agent(1).paused = true;
        RULE_CHECK(s.check("..", nothing));
        s.agent(1).paused = false;
        s.agent(1).terminated = true;
        RULE_CHECK(s.check("..", nothing));
    }

    void forcedActionsAreRecordedLikeOthers() {
        RuleScene s(yellowThingGrey("CB"), "EE");
        s.agent(1).forced = kForward;
        s.state.fixtures[0].awaiting = true;
        s.state.fixtures[0].controlled = 1;
        s.state.fixtures[0].triggered = kLeft;
        RULE_CHECK(s.check("..", [](S n) {
            n.agents[1].at = {4, 1};
            n.fixtures[0].awaiting = false;
            n.fixtures[0].triggered = kForward;
        }));
    }

    void aDisabledControlButtonStillRecords() {
        RuleScene s({"WeWeWeWeWeWe", "WeAyCBAe..We", "WeWedCWeWeWe", "WeWeWeWeWeWe"}, "EW");
        s.state.fixtures[0].enabled = false;
        RULE_CHECK(s.check(".T", nothing));
        s.state.fixtures[0].controlled = 1;
        s.state.fixtures[0].triggered = kLeft;
        RULE_CHECK(s.check("T.", nothing));
        s.state.fixtures[0].awaiting = true;
        RULE_CHECK(s.check(".F", [](S n) {
            n.fixtures[0].awaiting = false;
            n.fixtures[0].triggered = kForward;
        }));
    }

    void anotherProgrammerTakesOverTheButton() {
        RuleScene s({"WeWeWeWeWe", "WeAyCBAeWe", "WeWeAeWeWe", "WeWeWeWeWe"}, "EWN");
        s.state.fixtures[0].controlled = 1;
        s.state.fixtures[0].triggered = kForward;
        RULE_CHECK(s.check("..T", [](S n) {
            n.fixtures[0].awaiting = true;
            n.fixtures[0].controlled = 2;
        }));
        // The old action would now be forced upon the new one.
        s.state.fixtures[0].controlled = 2;
        RULE_CHECK(s.check("T..", [](S n) { n.agents[2].forced = kForward; }));
    }

    void chanceActionsAreNotRecorded() {
        RefParameters p;
        p.stumble = 0.0;
        RuleScene s({"WeWeWeWeWe", "WeAyCBAeWe", "WeWeWeUnWe", "WeWeWe..We", "WeWeWeWeWe"}, "ES",
                    p);
        s.state.fixtures[0].awaiting = true;
        s.state.fixtures[0].controlled = 1;
        s.put(1, {3, 2});
        RULE_CHECK(s.check(".F", [](S n) { n.agents[1].at = {3, 3}; }));
        // Stepping onto unsteady ground is an ordinary forward.
        s.put(1, {3, 1});
        RULE_CHECK(s.check(".F", [](S n) {
            n.agents[1].at = {3, 2};
            n.fixtures[0].awaiting = false;
            n.fixtures[0].triggered = kForward;
        }));
    }

    void thePausedAndTheDeadRecordNothing() {
        RuleScene s({"WeWeWeWeWeWe", "WeAyCBAe..We", "WeKiWePaWeWe", "WeWeWeWeWeWe"}, "EE");
        s.state.fixtures[0].awaiting = true;
        s.state.fixtures[0].controlled = 1;
        s.agent(1).paused = true;
        RULE_CHECK(s.check(".F", nothing));
        s.agent(1).paused = false;
        s.agent(1).terminated = true;
        RULE_CHECK(s.check(".F", nothing));
    }

    void otherColoursPressNothing() {
        for (const char* code : {"Ki", "Pa", "dK", "dP", "dC", "CB"}) {
            RuleScene s({"WeWeWeWeWe", rowOf("WeAr", code, "AeWe"), "WeKiPaCBWe", "WeWeWeWeWe"},
                        "EW");
            RULE_CHECK(s.check("T.", nothing));
        }
    }
};

ORRERY_TEST(GridButtonsTest)
#include "grid_buttons_test.moc"
