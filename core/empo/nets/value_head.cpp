#include "core/empo/nets/value_head.h"

#include <ATen/ATen.h>

#include <cmath>

namespace orrery {

at::Tensor dropoutMask(at::IntArrayRef sizes, double rate, Rng& rng, const at::Device& device) {
    at::Tensor mask = at::empty(sizes, at::kFloat);
    const std::int64_t count = mask.numel();
    auto* const numbers = mask.mutable_data_ptr<float>();
    const auto kept = static_cast<float>(1 / (1 - rate));
    // Sixteen bits a number: the rate is met to 2^-17.
    const auto limit = static_cast<std::uint64_t>(std::llround(rate * 65536));
    for (std::int64_t i = 0; i < count;) {
        std::uint64_t bits = rng.next();
        for (int k = 0; k < 4 && i < count; ++k, ++i, bits >>= 16)
            numbers[i] = (bits & 0xFFFF) < limit ? 0.0F : kept;
    }
    return device.is_cpu() ? mask : mask.to(at::TensorOptions(device), /*non_blocking=*/true);
}

ValueHead::ValueHead(const NetSpec& spec, ParameterMaker& make, const std::string& name,
                     std::int64_t inputs, std::int64_t outputs)
    : m_name(name),
      m_dropout(spec.dropout),
      m_first(make, name + ".0", inputs, spec.hiddenSize),
      m_second(make, name + ".1", spec.hiddenSize, spec.hiddenSize),
      m_last(make, name + ".2", spec.hiddenSize, outputs) {}

std::vector<at::Tensor> ValueHead::parts(at::TensorList inputs) const {
    std::vector<std::int64_t> sizes;
    for (const at::Tensor& input : inputs) sizes.push_back(input.size(-1));
    const std::vector<at::Tensor> weights = m_first.weight.split_with_sizes(sizes, 1);
    std::vector<at::Tensor> sums;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        sums.push_back(at::linear(inputs[i], weights[i], i == 0 ? m_first.bias : at::Tensor()));
    return sums;
}

at::Tensor ValueHead::dropped(const at::Tensor& x, NetPass pass) const {
    if (!pass.training || m_dropout == 0) return x;
    return x * dropoutMask(x.sizes(), m_dropout, *pass.training, x.device());
}

at::Tensor ValueHead::finish(const at::Tensor& sum, NetPass pass) const {
    const at::Tensor hidden1 = dropped(sum.relu_(), pass);
    const at::Tensor hidden2 = dropped(rectified(m_second(hidden1)), pass);
    at::Tensor output = m_last(hidden2);
    if (pass.sink != nullptr) {
        pass.sink->take(m_name + ".0", hidden1);
        pass.sink->take(m_name + ".1", hidden2);
        pass.sink->take(m_name + ".2", output);
    }
    return output;
}

}  // namespace orrery
