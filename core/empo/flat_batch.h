#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/empo/batch_states.h"
#include "core/empo/spec.h"
#include "core/replay/replay_buffer.h"
#include "core/replay/world_facts.h"

namespace orrery {

/// The goals of all worlds of a run in one list, and where each human's begin.
struct GoalList {
    struct Human {
        int first = 0;                ///< place of its first goal in the list
        int count = 0;                ///< goals
        std::vector<double> weights;  ///< [count] w_g
        std::vector<double> drawn;    ///< [count] running sums of w_g / sum, the last is 1
        double weightSum = 0;
    };
    std::vector<std::vector<Human>> humans;  ///< [layouts][H of it]
    std::vector<GoalRectangle> rectangles;   ///< [K]
    std::vector<std::int64_t> humanOf;       ///< [K] the human's number in its world
    int maxHumans = 0, maxGoals = 0;         ///< over worlds and humans

    explicit GoalList(const std::vector<WorldFacts>& facts);
};

/// What targets are wanted.
struct FlatNeeds {
    bool forV_h_e = true;
    bool forX_h = false;
    bool forRobot = false;       ///< Q_r, U_r or V_r
    bool x_hIsComputed = false;  ///< X_h of every state from V_h^e of a set of goals
    bool usesEveryGoal = true;   ///< for X_h: all goals, whatever their number
    std::optional<double> gamma_h = {}, gamma_r = {};  ///< in force; unset: the spec's
};

/// A batch as parallel arrays. B transitions, H humans at most in a world, A joint robot actions.
/// Entries are successors: for each transition and robot action, human profiles summed up. Memory
/// is reused from batch to batch. Source: seed 000, stage 1.
struct FlatBatch {
    std::int64_t numTransitions = 0;  ///< B
    std::int64_t numCurrent = 0;      ///< different states where transitions start: first of all
    std::int64_t numCurrentX = 0;     ///< and with those of the batch of X_h: first in `states`

    // Unique states [U]; terminal successors are not among them unless the original's rules say so.
    std::vector<StateStore::Index> states;
    std::vector<std::uint16_t> layouts;

    std::vector<std::int64_t> stateOf;     ///< [B] where each transition starts
    std::vector<std::int64_t> takenGroup;  ///< [B] b * A + action taken
    std::vector<std::int64_t> goal;        ///< [B x H] in the goal list, 0 without such a human
    std::vector<std::int64_t> goalColumn;  ///< [B x H] in its human's list
    std::vector<float> hasHuman;           ///< [B x H] 1 or 0

    // Q_r: sum of weight * V_r(successor) by group, plus constant, is the target.
    std::vector<std::int64_t> qSuccessor, qGroup;  ///< [E] in [0, U); b * A + a, ascending
    std::vector<float> qWeight;                    ///< [E] mu P gamma_r^D
    std::vector<float> qConstant;                  ///< [B x A] of terminal successors
    // n-step targets: sum of weight * U_r(state) on top.
    std::vector<std::int64_t> uState, uGroup;
    std::vector<float> uWeight;

    // V_h^e: sum of weight * V(pair) by group, plus attained, is what follows each robot action.
    std::vector<std::int64_t> vPair, vGroup;  ///< [N]; (b * H + h) * A + a
    std::vector<float> vWeight;               ///< [N] mu P gamma_h^D
    std::vector<float> attained;              ///< [B x H x A] mass of successors with the goal
    bool isTakenOnly = false;                 ///< only the taken action has entries

    /// Pairs of V_h^e of the target: a state, a human and one of its goals.
    struct Pairs {
        std::vector<std::int64_t> state, human;
        std::vector<std::int64_t> goal;    ///< in the goal list
        std::vector<std::int64_t> column;  ///< human * maxGoals + goal in the human's list
        void clear() { state.clear(), human.clear(), goal.clear(), column.clear(); }
        void add(std::int64_t s, std::int64_t h, std::int64_t g, std::int64_t c) {
            state.push_back(s), human.push_back(h), goal.push_back(g), column.push_back(c);
        }
        std::size_t size() const { return state.size(); }
    };
    Pairs successorPairs;  ///< of vPair
    Pairs ownPairs;        ///< [B x H] where transitions start, humans that are there or not

    // X_h: the batch of it. Target: sum of weight * V^zeta by group.
    std::vector<std::int64_t> xStateOf;  ///< [Bx]
    std::vector<float> xHasHuman;        ///< [Bx x H]
    Pairs xPairs;
    std::vector<std::int64_t> xGroup;  ///< state * H + h (xIsOfStates) or x * H + h
    std::vector<float> xWeight;
    bool xIsOfStates = false;  ///< groups are of states
    std::int64_t xStates = 0;  ///< states that groups are of, when xIsOfStates
};

/// Makes flat batches. One thread.
class Flattener {
public:
    /// @param facts, goals  must outlive it
    Flattener(const std::vector<WorldFacts>& facts, const GoalList& goals, const EmpoSpec& spec);

    /// @param batch   transitions of the buffer
    /// @param xBatch  those of X_h; empty: the same
    /// @param rng     draws goals
    /// @return valid until the next call
    const FlatBatch& flatten(const ReplayBuffer& buffer, std::span<const ReplayBuffer::Slot> batch,
                             std::span<const ReplayBuffer::Slot> xBatch, const FlatNeeds& needs,
                             Rng& rng);

private:
    using Slot = ReplayBuffer::Slot;

    std::int64_t localOf(StateStore::Index state, std::uint16_t layout) {
        return m_local.localOf(state, layout, m_batch.states, m_batch.layouts);
    }
    void addCurrent(const ReplayBuffer& buffer, std::span<const Slot> batch,
                    std::span<const Slot> xBatch);
    void drawGoals(const StoredTransition& transition, std::int64_t b, Rng& rng);
    void addTransition(const ReplayBuffer& buffer, Slot slot, std::int64_t b,
                       const FlatNeeds& needs);
    void addAction(const ReplayBuffer& buffer, const StoredModel& model, std::int64_t b, int action,
                   const FlatNeeds& needs);
    void addPath(const ReplayBuffer& buffer, Slot slot, std::int64_t b, const FlatNeeds& needs);
    void addGoalsOfX(const ReplayBuffer& buffer, std::span<const Slot> xBatch,
                     const FlatNeeds& needs, Rng& rng);
    void computeMu(const StoredModel& model, std::int64_t b, const StoredTransition& transition);
    void goalsOfStates(const FlatNeeds& needs, Rng& rng);
    bool isGoalIn(const ReplayBuffer& buffer, StateStore::Index state, std::uint16_t layout,
                  int human, std::int64_t goal) const;
    void addPair(std::int64_t b, int human, StateStore::Index state, std::uint16_t layout,
                 std::uint32_t place, std::int64_t group, float weight);

    const std::vector<WorldFacts>& m_facts;
    const GoalList& m_goals;
    EmpoSpec m_spec;
    int m_numActions;
    double m_gamma_h, m_gamma_r;  ///< of the batch
    FlatBatch m_batch;

    BatchStates m_local;

    // Of one transition.
    std::vector<double> m_marginal;  ///< actions of one human after the other
    std::vector<float> m_mu;         ///< [(1 + H) x P] product of marginals; with each goal
    int m_numProfiles = 0, m_firstProfile = 0;
    struct Place {
        std::uint32_t token = 0;  ///< the action that named it last
        std::uint32_t entry = 0;
    };
    std::vector<Place> m_places;  ///< [successors of the model]
    std::uint32_t m_token = 0;
    std::vector<std::uint32_t> m_touched;  ///< successors of one action
    std::vector<float> m_mass;             ///< [touched x (1 + H)]
    std::vector<std::int64_t> m_pairOf;    ///< [successors x H] pair made for this transition, -1
};

}  // namespace orrery
