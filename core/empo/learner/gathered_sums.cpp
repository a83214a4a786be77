#include "core/empo/learner/gathered_sums.h"

#include <ATen/ATen.h>

#include "core/empo/learner/quantity_values.h"
#include "core/nn/segmented_sum.h"

namespace orrery {

at::Tensor gatheredSums(const at::Tensor& values, const GatheredParts& parts, std::int64_t count) {
    if (!values.is_cpu()) return gatheredSumsOfTensors(values, parts, count);
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

at::Tensor gatheredSumsOfTensors(const at::Tensor& values, const GatheredParts& parts,
                                 std::int64_t count) {
    const at::Device device = values.device();
    const at::Tensor chosen =
        parts.index.empty() ? values : values.index_select(0, asTensor(parts.index, device));
    return segmentedSum(chosen * asTensor(parts.weight, device), asTensor(parts.group, device),
                        count);
}

}  // namespace orrery
