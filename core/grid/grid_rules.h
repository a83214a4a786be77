#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/grid/grid_layout.h"

namespace orrery {

/// The transition rules of the grid world (spec 1.4 and 1.5) for a group of agents that act while
/// the others keep still. Keeps scratch memory: one object a thread.
class GridRules {
public:
    explicit GridRules(const GridLayout& layout);

    /// One result of a step, before merging.
    struct Branch {
        double probability = 0;
        GridState state;
    };

    /// Enumerates the results of a step.
    ///
    /// @param actions  [agents] action index of each agent; -1: the agent takes no part (its forced
    ///                 action, if any, is kept too)
    /// @return branches in enumeration order, possibly equal ones; valid until the next call
    std::span<const Branch> step(const GridState& start, std::span<const int> actions);

    bool isStochasticForward(const GridState& state, std::size_t agent) const;
    /// Facing an active, unoccupied magic wall whose side lets it in; sides "all" are left out.
    bool facesMagicSide(const GridState& state, std::size_t agent) const;
    bool facesMagicAll(const GridState& state, std::size_t agent) const;
    bool facesUncertainBush(const GridState& state, std::size_t agent) const;

    int agentAt(const GridState& state, int cell) const;
    int mobileAt(const GridState& state, int cell) const;
    int pickableAt(const GridState& state, int cell) const;

    /// Nothing but a floor-like cell: empty, tile, lava, unsteady ground, open door, trampled bush.
    bool isOverlappable(const GridState& state, int cell) const;

    /// The cell behind the run of mobiles that begins at `cell`.
    int cellBehindRun(const GridState& state, int cell, int direction) const;

private:
    enum class Manner : std::uint8_t { Idle, Normal, Magic, Bush, Unsteady };
    struct Block {
        std::vector<int> members;
    };

    const GridCell* activeMagicWallAhead(const GridState& state, std::size_t agent) const;
    void classify(const GridState& start, bool fast);
    void findBlocks(const GridState& start);
    void mergeSwitchBlocks(const GridState& start);
    void enumerate(const GridState& start);
    double chooseBranch(std::int64_t choice);
    void runBranch(GridState& state);
    void runUnsteady(GridState& state);
    void runMagic(GridState& state);
    void runBush(GridState& state);
    void execute(GridState& state, int agent);
    void forward(GridState& state, int agent);
    void enter(GridState& state, int agent, int cell);
    void pickup(GridState& state, int agent);
    void drop(GridState& state, int agent);
    void toggle(GridState& state, int agent);
    void toggleControl(GridState& state, int agent, std::size_t button);
    void toggleDisabling(GridState& state, std::size_t index);
    bool record(GridState& state, int agent);
    bool canMoveRun(const GridState& state, int agent, int cell, int direction) const;
    void moveRun(GridState& state, int cell, int direction);
    bool startedBusy(int cell, int except) const;
    Branch& newBranch();

    const GridLayout& m_layout;
    std::vector<Act> m_acts;        // [agents] of this step
    std::vector<int> m_actions;     // [agents] action indices after forcing; -1 idle
    std::vector<Manner> m_manner;   // [agents]
    std::vector<int> m_acting;      // the set A, ascending
    std::vector<int> m_startCells;  // [agents] cell at the start; -1 for a terminated agent
    std::vector<Block> m_blocks;
    std::vector<int> m_winners;     // of this branch, in block order
    std::vector<int> m_outcome;     // [agents] of this branch: choice of a stochastic agent
    std::vector<int> m_plainCells;  // door cells uncovered in this step
    GridState m_base;
    std::vector<Branch> m_branches;
    std::size_t m_used = 0;
};

}  // namespace orrery
