#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/empo/batch_states.h"
#include "core/empo/flat_batch.h"
#include "core/empo/spec.h"
#include "core/replay/replay_buffer.h"
#include "core/replay/world_facts.h"

namespace orrery {

/// Targets of Q_h of a batch as parallel arrays. A question is a state, a human and one of its
/// goals that does not hold there. Q questions, A actions of a human and P profiles of the other
/// humans at most, R joint robot actions. Memory is reused from batch to batch.
///
/// Q_h(s, g, a) = sum over profiles p of belief(p) * opt over r of what follows (a, p, r), where
/// what follows is the mass of successors with the goal plus the sum of weight * V_h(successor).
/// Source: spec empo section 3.
struct HumanBatch {
    int numActions = 1, numProfiles = 1, numRobotActions = 1;  ///< A, P, R

    std::vector<StateStore::Index> states;  ///< [U] unique; where questions start: first of all
    std::vector<std::uint16_t> layouts;     ///< [U]
    std::int64_t numCurrent = 0;            ///< different states where questions start

    FlatBatch::Pairs questions;             ///< [Q]
    std::vector<float> hasAction;           ///< [Q x A] 1 or 0
    std::vector<float> belief;              ///< [Q x P] sums to 1
    std::vector<float> successorHasAction;  ///< [S x A] 1 or 0
    FlatBatch::Pairs successors;            ///< [S] whose V_h is needed
    std::vector<std::int64_t> pair;         ///< [N] in successors
    std::vector<std::int64_t> group;        ///< [N] ((question * A + action) * P + profile) * R + r
    std::vector<float> weight;              ///< [N] P(s'|s,a) gamma_h^D
    std::vector<float> attained;            ///< [Q x A x P x R]
};

/// Most actions of one human, and most profiles of the others of one, over the worlds of a run.
int mostHumanActions(const std::vector<WorldFacts>& facts);
int mostOtherProfiles(const std::vector<WorldFacts>& facts);

/// Makes batches of questions about humans. One thread.
class HumanFlattener {
public:
    /// @param facts, goals  must outlive it
    HumanFlattener(const std::vector<WorldFacts>& facts, const GoalList& goals,
                   const EmpoSpec& spec);

    /// @param batch       transitions of the buffer, with rows of every human profile
    /// @param everyGoal   asks for all goals of each human, else for one that is drawn by weight
    /// @return valid until the next call
    const HumanBatch& flatten(const ReplayBuffer& buffer, std::span<const ReplayBuffer::Slot> batch,
                              bool everyGoal, Rng& rng);

private:
    std::int64_t localOf(StateStore::Index state, std::uint16_t layout) {
        return m_local.localOf(state, layout, m_batch.states, m_batch.layouts);
    }
    void ask(const ReplayBuffer& buffer, const StoredModel& model, std::int64_t state, int human,
             int goal);
    void addRows(const StoredModel& model, int human, int actions);
    bool isGoalIn(const ReplayBuffer& buffer, StateStore::Index state, std::uint16_t layout,
                  int human, int goal) const;

    const std::vector<WorldFacts>& m_facts;
    const GoalList& m_goals;
    double m_gamma_h;
    HumanBatch m_batch;

    BatchStates m_local;
    /// Of one question: [successors of the model] its pair, or one of the two below.
    static constexpr std::int64_t kAttained = -1, kEnd = -2;
    std::vector<std::int64_t> m_place;
};

}  // namespace orrery
