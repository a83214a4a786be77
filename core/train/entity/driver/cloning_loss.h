#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "core/train/entity/driver/actor_critic.h"
#include "core/train/entity/driver/clone_data.h"

namespace orrery {

/// What a shard of a minibatch adds: its sums over deciders, each divided by those of the
/// minibatch.
struct CloningLoss {
    at::Tensor loss;     ///< 0-dimensional
    at::Tensor entropy;  ///< likewise
};

/// @param rows  [actions] deciders of the whole minibatch; an action without any adds nothing
/// Source: spec entity, section 7: the mean over deciders, summed over actions, of
///         (log q - log p)^2 of the choice, or of sum p (log p - log q) over all choices; without
///         logits over the choice and all others together.
CloningLoss cloningLoss(const ActorCritic::Output& output, const FrameShard& shard,
                        const CloneSet& set, std::span<const std::int64_t> rows,
                        CloningSpec::Loss kind);

}  // namespace orrery
