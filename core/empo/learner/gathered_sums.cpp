#include "core/empo/learner/gathered_sums.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/empo/learner/quantity_values.h"
#include "core/empo/nets/gpu_kernels.h"
#include "core/nn/segmented_sum.h"

namespace orrery {

at::Tensor gatheredSums(const at::Tensor& values, const GatheredParts& parts, std::int64_t count,
                        StageClock* profile) {
    if (values.is_cuda())
        if (const CudaLibrary* const kernels = gpuKernels())
            return gatheredSumsByKernel(*kernels, values, parts, count, profile);
    if (!values.is_cpu()) return gatheredSumsOfTensors(values, parts, count, profile);
    // One pass: a tabular step has too few numbers for four operations to pay.
    at::Tensor sums = at::zeros({count}, at::kFloat);
    const at::Tensor dense = values.contiguous();
    const float* from = dense.const_data_ptr<float>();
    auto* to = sums.data_ptr<float>();
    const bool isInOrder = parts.index.empty();
    for (std::size_t i = 0; i < parts.group.size(); ++i) {
        const std::size_t place = isInOrder ? i : static_cast<std::size_t>(parts.index[i]);
        to[parts.group[i]] += parts.weight[i] * from[place];
    }
    return sums;
}

namespace {

/// Parts group by group, each group's in their order.
struct Segments {
    std::vector<std::int64_t> begin;  ///< [count + 1]
    std::vector<std::int64_t> index;  ///< [n], empty if the parts are in order already
    std::vector<float> weight;        ///< likewise

    Segments(const GatheredParts& parts, std::int64_t count)
        : begin(static_cast<std::size_t>(count) + 1) {
        for (const std::int64_t group : parts.group) ++begin[static_cast<std::size_t>(group) + 1];
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        if (std::ranges::is_sorted(parts.group)) return;
        std::vector<std::int64_t> next = begin;
        index.resize(parts.group.size());
        weight.resize(parts.group.size());
        for (std::size_t i = 0; i < parts.group.size(); ++i) {
            const auto place = static_cast<std::size_t>(next[parts.group[i]]++);
            index[place] = parts.index.empty() ? static_cast<std::int64_t>(i) : parts.index[i];
            weight[place] = parts.weight[i];
        }
    }
};

}  // namespace

at::Tensor gatheredSumsByKernel(const CudaLibrary& kernels, const at::Tensor& values,
                                const GatheredParts& parts, std::int64_t count,
                                StageClock* profile) {
    const Segments segments(parts, count);
    const at::Device device = values.device();
    const bool isInOrder = segments.index.empty();
    const std::vector<std::int64_t>& index = isInOrder ? parts.index : segments.index;
    return segmentSumsByKernel(
        kernels, values, index.empty() ? at::Tensor() : asTensor(index, device, profile),
        asTensor(isInOrder ? parts.weight : segments.weight, device, profile),
        asTensor(segments.begin, device, profile));
}

at::Tensor gatheredSumsOfTensors(const at::Tensor& values, const GatheredParts& parts,
                                 std::int64_t count, StageClock* profile) {
    const at::Device device = values.device();
    if (parts.group.empty()) return at::zeros({count}, values.options());
    const at::Tensor chosen = parts.index.empty()
                                  ? values
                                  : values.index_select(0, asTensor(parts.index, device, profile));
    return segmentedSum(chosen * asTensor(parts.weight, device, profile),
                        asTensor(parts.group, device, profile), count);
}

}  // namespace orrery
