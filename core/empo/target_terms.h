#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/empo/learned_values.h"
#include "core/empo/spec.h"
#include "core/replay/replay_snapshot.h"
#include "core/replay/world_facts.h"

namespace orrery {

/// What may follow one joint robot action, human profiles summed by the prior.
struct SuccessorShare {
    int robotAction = 0;
    std::uint32_t successor = 0;  ///< in [0, U) of the model
    double probability = 0;
    /// E[gamma_r^D] and E[gamma_h^D] over the human profiles that lead there.
    double decay_r = 1, decay_h = 1;
};

/// Successors of every joint robot action, action by action in their order, most probable first.
/// Probabilities of an action sum to 1.
/// @param own   human that follows its policy for `goal` instead of its marginal; -1: none
/// @param goal  index in its goals
std::vector<SuccessorShare> successorShares(const ReplaySnapshot& replay, std::size_t row,
                                            const WorldFacts& facts, const EmpoSpec& spec,
                                            int own = -1, int goal = 0);

/// One summand of a target: policy * probability * decay * value.
struct TargetTerm {
    int robotAction = 0;
    std::uint32_t successor = 0;
    double policy = 1;  ///< pi_r of the action; 1 in a target of Q_r
    double probability = 0;
    double decay = 1;
    double value = 0;         ///< of the target copy; 1 if attained
    bool isAttained = false;  ///< the successor has the goal
    bool isTerminal = false;  ///< nothing follows: 0, or terminal_v_r
    bool isSeen = true;       ///< false: a table's default
    double term = 0;
};

/// A target as the sum that it is.
struct TargetSum {
    std::vector<TargetTerm> terms;
    double target = 0;  ///< sum of all terms
    double prediction = 0;
    bool isPredictionSeen = true;
};

/// States whose values the sums need: the one before, then all successors.
/// @return [(1 + U) x bytes]
std::vector<std::byte> statesOfTarget(const ReplaySnapshot& replay, std::size_t row);

/// The one-step target of V_h^e for a human and one of its goals, as the learner computes it.
/// @param live, target  values of statesOfTarget(replay, row)
/// Source: spec empo 6.1.
TargetSum targetOfGoal(const ReplaySnapshot& replay, std::size_t row, const WorldFacts& facts,
                       const EmpoSpec& spec, const LearnedValues& live, const LearnedValues& target,
                       int human, int goal);

/// The one-step target of Q_r for one joint robot action.
TargetSum targetOfAction(const ReplaySnapshot& replay, std::size_t row, const WorldFacts& facts,
                         const EmpoSpec& spec, const LearnedValues& live,
                         const LearnedValues& target, int robotAction);

/// True if the human of an encoded state is where one of its goals holds.
bool isGoalAttained(const WorldFacts& facts, std::span<const std::byte> state, int human, int goal);

}  // namespace orrery
