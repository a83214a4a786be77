#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace orrery {

class StageClock;
class CudaLibrary;

/// What is added up: sums[group[i]] += weight[i] * values[index[i]].
struct GatheredParts {
    const std::vector<std::int64_t>& index;  ///< in the values; empty: i
    const std::vector<float>& weight;        ///< [n]
    const std::vector<std::int64_t>& group;  ///< [n] in [0, number of sums)
};

/// Adds up parts of values, on the values' device: on the CPU in their order, on a GPU by the
/// kernel of liborrery_cuda.so where it is there. Records no gradients.
/// @param values   float [m]
/// @param profile  its Conversion is what parts take to another device; null: nobody measures
/// @return [count]
at::Tensor gatheredSums(const at::Tensor& values, const GatheredParts& parts, std::int64_t count,
                        StageClock* profile = nullptr);

/// The same by tensor operations alone, as on other devices.
at::Tensor gatheredSumsOfTensors(const at::Tensor& values, const GatheredParts& parts,
                                 std::int64_t count, StageClock* profile = nullptr);

/// The same by that kernel; `values` lie on a GPU that the library works on. Deterministic.
at::Tensor gatheredSumsByKernel(const CudaLibrary& kernels, const at::Tensor& values,
                                const GatheredParts& parts, std::int64_t count,
                                StageClock* profile = nullptr);

}  // namespace orrery
