#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <span>

#include "core/empo/human_batch.h"
#include "core/empo/learner/quantity_values.h"
#include "core/empo/learner/state_batches.h"

namespace orrery {

/// Q_h of the humans by a table or networks: what is learned, its target copy, or the policies that
/// stand still after it.
struct HumanValues {
    std::shared_ptr<const ValueFacts> facts;
    int numActions = 1;                         ///< A, of a human at most
    std::shared_ptr<const QuantityNets> nets;   ///< null: a table
    std::shared_ptr<const StateRows> rows;      ///< of the table
    std::shared_ptr<const TableVersion> table;  ///< [rows, H x maxGoals x A]; null: networks
};

/// Q_h of pairs, in [0, 1] unless a network trains: [n, A].
at::Tensor q_hOf(const HumanValues& values, const StateBatch& states, const FlatBatch::Pairs& pairs,
                 NetPass pass = {});

/// pi_h = softmax of beta_h Q_h over the actions that are there; infinity: uniform over those that
/// are within 1e-5 of the best, as learned numbers are never quite alike.
/// @param q_h        [n, A]
/// @param hasAction  [n, A] 1 or 0
/// @return [n, A]
/// Source: spec empo section 3.
at::Tensor humanPolicy(const at::Tensor& q_h, const at::Tensor& hasAction, double beta_h);

/// Targets of a batch: [Q, A]; actions that are not there have 0. Records no gradients.
/// @param states  the batch's unique states
at::Tensor humanTargets(const HumanBatch& batch, const StateBatch& states,
                        const HumanValues& target);

/// pi_h of N states of one layout as collectors ask for it: human by human, goal by goal, [A_h]
/// each. In a state that has the goal it is the first action. Source: spec empo section 3.
/// @param states  encoded, at most some thousand
/// @param out     [N x WorldFacts::priorNumbers()]
void fillHumanPolicies(const HumanValues& values, StateBatcher& batcher, int layout,
                       std::span<const std::byte* const> states, std::span<float> out);

}  // namespace orrery
