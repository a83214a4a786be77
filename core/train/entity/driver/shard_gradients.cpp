#include "core/train/entity/driver/shard_gradients.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <utility>

namespace orrery {

std::vector<at::Tensor> gradientsOf(const at::Tensor& loss, std::span<const NetParameter> all) {
    std::vector<at::Tensor> tensors;
    tensors.reserve(all.size());
    for (const NetParameter& parameter : all) tensors.push_back(parameter.tensor);
    return torch::autograd::grad({loss}, tensors, {}, false, false, /*allow_unused=*/true);
}

void addGradients(std::vector<at::Tensor> more, std::vector<at::Tensor>& sums) {
    for (std::size_t i = 0; i < more.size(); ++i) {
        if (!sums[i].defined())
            sums[i] = std::move(more[i]);
        else if (more[i].defined())
            sums[i] += more[i];
    }
}

void putGradients(const std::vector<at::Tensor>& gradients, std::span<const NetParameter> all) {
    for (std::size_t i = 0; i < gradients.size(); ++i) all[i].tensor.mutable_grad() = gradients[i];
}

std::vector<std::int64_t> numDecided(const VecActions& chosen,
                                     std::span<const std::int64_t> frames) {
    std::vector<std::int64_t> counts;
    counts.reserve(chosen.size());
    for (const RaggedBuffer<std::int64_t>& action : chosen) {
        std::int64_t count = 0;
        for (const std::int64_t frame : frames) count += action.size1(frame);
        counts.push_back(count);
    }
    return counts;
}

}  // namespace orrery
