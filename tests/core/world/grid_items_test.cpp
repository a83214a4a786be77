#include <QTest>

#include "tests/core/world/rule_scene.h"
#include "tests/support/test_program.h"

using namespace orrery::reference;
using orrery::test::nothing;
using orrery::test::rowOf;
using orrery::test::RuleScene;
using S = RefState&;

namespace {

const Item kRedKey = {ItemType::Key, 'r'};
const Item kRedBall = {ItemType::Ball, 'r'};

/// Two agents on both sides of one cell.
std::vector<std::string> betweenTwo(const char* code) {
    return {"WeWeWeWeWe", rowOf("WeAy", code, "AeWe"), "WeWeWeWeWe"};
}

/// The same with a red ball somewhere out of reach, which the state may give to somebody.
RuleScene withBall(const char* code) {
    RuleScene s(
        {"WeWeWeWeWe", rowOf("WeAy", code, "AeWe"), "WeWeWeWeWe", "WeWeBrWeWe", "WeWeWeWeWe"},
        "EW");
    std::erase_if(s.state.items, [](const ItemAt& item) { return item.type == ItemType::Ball; });
    s.agent(0).carried = kRedBall;
    return s;
}

}  // namespace

/// Keys, balls, boxes and doors: each outcome is worked out by hand from the rules.
class GridItemsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void emptyHandsPickUpKeysBallsAndBoxes() {
        const struct {
            const char* code = nullptr;
            Item item;
        } kCases[] = {{"Kr", kRedKey},
                      {"Bg", {ItemType::Ball, 'g'}},
                      {"Bb", {ItemType::Ball, 'b'}},
                      {"Xp", {ItemType::Box, 'p'}}};
        for (const auto& c : kCases) {
            RuleScene s(betweenTwo(c.code), "EW");
            RULE_CHECK(s.check("P.", [&](S n) {
                n.agents[0].carried = c.item;
                n.items.clear();
            }));
            RULE_CHECK(s.check("F.", nothing));
        }
        // A kill button is no blue key.
        RULE_CHECK(RuleScene(betweenTwo("Kb"), "EW").check("P.", nothing));
    }

    void fullHandsPickUpNothing() {
        RuleScene s = withBall("Kr");
        RULE_CHECK(s.check("P.", nothing));
    }

    void twoAgentsPickUpOneKey() {
        RuleScene s(betweenTwo("Kr"), "EW");
        RULE_CHECK(s.check("PP", {{0.5,
                                   [](S n) {
                                       n.agents[0].carried = kRedKey;
                                       n.items.clear();
                                   }},
                                  {0.5, [](S n) {
                                       n.agents[1].carried = kRedKey;
                                       n.items.clear();
                                   }}}));
    }

    void fullHandsWinAConflictInVain() {
        // Agent 0 wins half of the time, cannot take the key, and agent 1 takes it afterwards.
        RuleScene s = withBall("Kr");
        RULE_CHECK(s.check("PP", [](S n) {
            n.agents[1].carried = kRedKey;
            n.items.clear();
        }));
    }

    void dropsGoOntoWhateverCanBeEntered() {
        for (const char* code : {"..", "La", "Gg", "Sw", "Un", "Or"}) {
            RuleScene s = withBall(code);
            RULE_CHECK(s.check("D.", [](S n) {
                n.agents[0].carried.reset();
                n.items.push_back({ItemType::Ball, {2, 1}, 'r'});
            }));
        }
        for (const char* code : {"Wr", "Cr", "Lr", "Bu", "Ki", "Me", "Bl", "Ro", "Kr", "Xr"})
            RULE_CHECK(withBall(code).check("D.", nothing));
        RuleScene occupied = withBall("..");
        occupied.put(1, {2, 1});
        RULE_CHECK(occupied.check("D.", nothing));
        RULE_CHECK(withBall("..").check(".D", nothing));
    }

    void aTrampledBushTakesADrop() {
        RuleScene s = withBall("Bu");
        s.state.fixtures[0].trampled = true;
        RULE_CHECK(s.check("D.", [](S n) {
            n.agents[0].carried.reset();
            n.items.push_back({ItemType::Ball, {2, 1}, 'r'});
        }));
    }

    void twoDropsOnOneCellGoByIndex() {
        RuleScene s({"WeWeWeWeWe", "WeAy..AeWe", "WeKrWeBrWe", "WeWeWeWeWe"}, "EW");
        s.state.items.clear();
        s.agent(0).carried = kRedKey;
        s.agent(1).carried = kRedBall;
        RULE_CHECK(s.check("DD", [](S n) {
            n.agents[0].carried.reset();
            n.items.push_back({ItemType::Key, {2, 1}, 'r'});
        }));
        // A drop and a walk onto the same cell, too: they want different things.
        RULE_CHECK(s.check("DF", [](S n) {
            n.agents[0].carried.reset();
            n.items.push_back({ItemType::Key, {2, 1}, 'r'});
        }));
        RULE_CHECK(s.check("FD", [](S n) { n.agents[0].at = {2, 1}; }));
    }

    void droppersFacingAnAgentShareAConflictThatChangesOrder() {
        // 0 and 2 both face agent 1, which walks away down: whoever wins their conflict drops
        // first, before agent 1 has left (blocks 0 and 1 are settled in that order); the loser
        // drops after.
        RuleScene s({"WeWeWeWeWe", "WeArAyArWe", "WeKr..BrWe", "WeWeWeWeWe"}, "ESW");
        s.state.items.clear();
        s.agent(0).carried = kRedKey;
        s.agent(2).carried = kRedBall;
        RULE_CHECK(s.check("DFD", {{0.5,
                                    [](S n) {
                                        n.agents[1].at = {2, 2};
                                        n.agents[2].carried.reset();
                                        n.items.push_back({ItemType::Ball, {2, 1}, 'r'});
                                    }},
                                   {0.5, [](S n) {
                                        n.agents[1].at = {2, 2};
                                        n.agents[0].carried.reset();
                                        n.items.push_back({ItemType::Key, {2, 1}, 'r'});
                                    }}}));
    }

    void aPickupIsDroppedOnlyLater() {
        // Agent 0 drops first, so that agent 1 finds the ball in the same step.
        RuleScene s = withBall("..");
        RULE_CHECK(s.check("DP", [](S n) {
            n.agents[0].carried.reset();
            n.agents[1].carried = kRedBall;
        }));
    }

    void emptyBoxesVanishWhenToggled() {
        RuleScene s(betweenTwo("Xp"), "EW");
        RULE_CHECK(s.check("T.", [](S n) { n.items.clear(); }));
        // The second of two togglers finds plain floor.
        RULE_CHECK(s.check("TT", [](S n) { n.items.clear(); }));
        // And a walker behind the toggler enters it at once.
        RULE_CHECK(s.check("TF", [](S n) {
            n.items.clear();
            n.agents[1].at = {2, 1};
        }));
        RULE_CHECK(RuleScene(betweenTwo("Kr"), "EW").check("T.", nothing));
    }

    void doorsOpenAndClose() {
        RuleScene closed(betweenTwo("Cr"), "EW");
        RULE_CHECK(closed.check("T.", [](S n) { n.fixtures[0].open = true; }));
        RULE_CHECK(closed.check("F.", nothing));
        RULE_CHECK(closed.check("TF", [](S n) {
            n.fixtures[0].open = true;
            n.agents[1].at = {2, 1};
        }));
        RuleScene open(betweenTwo("Or"), "EW");
        RULE_CHECK(open.check("T.", [](S n) { n.fixtures[0].open = false; }));
        RULE_CHECK(open.check("TT", nothing));
        RULE_CHECK(open.check("F.", [](S n) { n.agents[0].at = {2, 1}; }));
        RULE_CHECK(open.check("TF", [](S n) { n.fixtures[0].open = false; }));
    }

    void anAgentInADoorKeepsItOpen() {
        RuleScene s(betweenTwo("Or"), "EW");
        s.put(1, {2, 1});
        RULE_CHECK(s.check("T.", nothing));
        s.agent(1).dir = 0;
        // Toggler 0 acts first: the door is still held open when agent 1 walks out.
        RULE_CHECK(s.check("TF", [](S n) { n.agents[1].at = {3, 1}; }));
    }

    void lockedDoorsWantAKeyOfTheirColour() {
        RuleScene s({"WeWeWeWeWe", "WeAyLrAeWe", "WeKrWeKgWe", "WeBrWeWeWe", "WeWeWeWeWe"}, "EW");
        s.state.items.clear();
        RULE_CHECK(s.check("T.", nothing));
        for (const Item wrong : {Item{ItemType::Key, 'g'}, kRedBall}) {
            s.agent(0).carried = wrong;
            RULE_CHECK(s.check("T.", nothing));
        }
        s.agent(0).carried = kRedKey;
        const auto unlocked = [](S n) {
            n.fixtures[0].open = true;
            n.fixtures[0].locked = false;
        };
        RULE_CHECK(s.check("T.", unlocked));
        // The key is kept; the door is closed, not locked, by the next toggle, with or without it.
        RULE_CHECK(s.check("TT", [](S n) { n.fixtures[0].locked = false; }));
        RULE_CHECK(s.check("FT", nothing));
    }

    void pushedBlocksAndDroppedThingsCoverADoor() {
        RuleScene block({"WeWeWeWeWeWe", "WeAyOrAeBlWe", "WeWeWeWeWeWe"}, "EW");
        block.state.mobile[0].at = {2, 1};
        block.put(1, {4, 1});
        RULE_CHECK(block.check("T.", nothing));
        RULE_CHECK(block.check("F.", [](S n) {
            n.agents[0].at = {2, 1};
            n.mobile[0].at = {3, 1};
        }));

        RuleScene key({"WeWeWeWeWe", "WeAyOrAeWe", "WeWeKrWeWe", "WeWeWeWeWe"}, "EW");
        key.state.items[0].at = {2, 1};
        RULE_CHECK(key.check("T.", nothing));
        RULE_CHECK(key.check("F.", nothing));
        RULE_CHECK(key.check("P.", [](S n) {
            n.agents[0].carried = kRedKey;
            n.items.clear();
        }));
    }

    void aBoxToggledAwayLeavesPlainFloorForTheRestOfTheStep() {
        RuleScene s({"WeWeWeWeWe", "WeAyOrAeWe", "WeWeXpWeWe", "WeWeWeWeWe"}, "EW");
        s.state.items[0].at = {2, 1};
        RULE_CHECK(s.check("T.", [](S n) { n.items.clear(); }));
        RULE_CHECK(s.check("TT", [](S n) { n.items.clear(); }));
        RULE_CHECK(s.check("TF", [](S n) {
            n.items.clear();
            n.agents[1].at = {2, 1};
        }));
        // In the next step it is the door again.
        s.state.items.clear();
        RULE_CHECK(s.check("T.", [](S n) { n.fixtures[1].open = n.fixtures[0].open = false; }));
    }

    void aDoorUncoveredByAPickupIsPlainFloorForTheRestOfTheStep() {
        RuleScene s({"WeWeWeWeWe", "WeAyOrAeWe", "WeWeKrWeWe", "WeWeWeWeWe"}, "EW");
        s.state.items[0].at = {2, 1};
        RULE_CHECK(s.check("PT", [](S n) {
            n.agents[0].carried = kRedKey;
            n.items.clear();
        }));
    }

    void theDeadKeepWhatTheyCarry() {
        RuleScene s({"WeWeWeWeWe", "WeAyLaAeWe", "WeWeKrWeWe", "WeWeWeWeWe"}, "EW");
        s.state.items.clear();
        s.agent(0).carried = kRedKey;
        RULE_CHECK(s.check("F.", [](S n) {
            n.agents[0].at = {2, 1};
            n.agents[0].terminated = true;
        }));
    }
};

ORRERY_TEST(GridItemsTest)
#include "grid_items_test.moc"
