#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/support/reference_world.h"

namespace orrery::reference {

/// One step under way: a working copy of the state on which agents act one after the other, with
/// what the rules must remember about the start of the step. Not thread-safe.
class RefStep {
public:
    /// `before` is the state at the start of the step, forced actions already taken out.
    RefStep(const RefWorld& world, const RefState& before)
        : m_world(world), m_before(before), m_now(before) {}

    const RefState& now() const { return m_now; }

    Act actOf(int agent, int id) const { return m_world.actions[agent][id]; }
    /// False if the agent is dead or paused at this moment of the step.
    bool canAct(int agent) const;
    bool isRobotLike(int agent) const;
    Cell frontOf(int agent) const;
    bool hasAgent(Cell c) const;
    const Mobile* mobileAt(Cell c) const;
    const ItemAt* itemAt(Cell c) const;
    const Fixture* fixtureAt(Cell c) const;
    /// A live magic wall, with nobody inside, that opens to the agent facing it.
    /// `countAll` says whether walls magic on all sides are among them.
    bool facesMagicWall(int agent, bool countAll) const;
    /// A bush as it was planted, with nobody inside.
    bool facesBush(int agent) const;
    /// Where the run of blocks and rocks before the agent would end; false if it cannot move.
    bool landingOf(int agent, Cell& landing) const;

    /// The ordinary path: executes one action, records it for control buttons.
    void execute(int agent, int id);
    /// Resolves all unsteady agents together; turn is -1, 0 or 1 for each.
    void executeUnsteady(const std::vector<int>& agents, const std::vector<int>& turns);
    /// `result` 0 enters, 1 stays, 2 stays and the wall becomes solid.
    void executeMagic(int agent, int result);
    /// `result` 0 enters, 1 stays.
    void executeBush(int agent, int result);

private:
    Fixture* fixtureAt(Cell c);
    bool isOverlappable(Cell c) const;
    bool isVacant(Cell c) const;
    bool wasOccupied(Cell c, int exceptAgent) const;
    void forward(int agent);
    void moveTo(int agent, Cell c);
    void pickup(int agent);
    void drop(int agent);
    void toggle(int agent, const std::set<Cell>& recordedBy);
    void toggleControlButton(int agent, Fixture& button);
    void flipEnabled(Ground kind);
    std::set<Cell> record(int agent, int id);
    void removeItem(const ItemAt& item);

    const RefWorld& m_world;
    const RefState& m_before;
    RefState m_now;
    /// Door cells whose cover was taken away in this step: plain floor until the step ends.
    std::set<Cell> m_plainDoors;
};

}  // namespace orrery::reference
