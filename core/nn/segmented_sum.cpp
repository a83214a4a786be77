#include "core/nn/segmented_sum.h"

#include <ATen/ATen.h>

namespace orrery {

at::Tensor segmentedSum(const at::Tensor& values, const at::Tensor& segment,
                        std::int64_t numSegments) {
    std::vector<std::int64_t> sizes = values.sizes().vec();
    sizes[0] = numSegments;
    return at::zeros(sizes, values.options()).index_add(0, segment, values);
}

}  // namespace orrery
