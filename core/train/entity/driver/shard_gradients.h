#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "core/entity/vec_obs.h"
#include "core/nn/parameters.h"

namespace orrery {

/// [parameters] of a shard's loss; undefined where it does not depend on one. Any thread.
std::vector<at::Tensor> gradientsOf(const at::Tensor& loss, std::span<const NetParameter> all);

/// Adds those of one more shard. @param sums  [parameters]; undefined: none so far
void addGradients(std::vector<at::Tensor> more, std::vector<at::Tensor>& sums);

/// Gives them to the parameters, for an optimiser to step by.
void putGradients(const std::vector<at::Tensor>& gradients, std::span<const NetParameter> all);

/// [actions] how often each was decided in some of many frames.
std::vector<std::int64_t> numDecided(const VecActions& chosen,
                                     std::span<const std::int64_t> frames);

}  // namespace orrery
