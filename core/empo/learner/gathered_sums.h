#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace orrery {

/// What is added up: sums[group[i]] += weight[i] * values[index[i]].
struct GatheredParts {
    const std::vector<std::int64_t>& index;  ///< in the values; empty: i
    const std::vector<float>& weight;        ///< [n]
    const std::vector<std::int64_t>& group;  ///< [n] in [0, number of sums)
};

/// Adds up parts of values, on the values' device; on the CPU in their order. Records no gradients.
/// @param values  float [m]
/// @return [count]
at::Tensor gatheredSums(const at::Tensor& values, const GatheredParts& parts, std::int64_t count);

/// The same by tensor operations alone, as on a GPU.
at::Tensor gatheredSumsOfTensors(const at::Tensor& values, const GatheredParts& parts,
                                 std::int64_t count);

}  // namespace orrery
