#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace orrery {

/// Sums of the values of each segment, on the values' device, with gradients for the values.
/// @param values    float [n] or [n, C]
/// @param segment   int64 [n] in [0, numSegments), in any order
/// @return [numSegments] or [numSegments, C]; 0 where a segment has no value. On the CPU summed in
///         the order of the values.
at::Tensor segmentedSum(const at::Tensor& values, const at::Tensor& segment,
                        std::int64_t numSegments);

}  // namespace orrery
