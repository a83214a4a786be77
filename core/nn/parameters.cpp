#include "core/nn/parameters.h"

#include <ATen/ATen.h>

#include <cmath>
#include <numbers>

#include "core/base/rng.h"

namespace orrery {

namespace {

/// FNV-1a.
std::uint64_t streamOf(std::string_view name) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return hash;
}

}  // namespace

template <typename Draw>
at::Tensor ParameterMaker::make(const std::string& name, at::IntArrayRef sizes, Draw draw) {
    at::Tensor tensor = at::empty(sizes, at::kFloat);
    if (m_seed) {
        Rng rng(*m_seed, streamOf(name));
        auto* const numbers = tensor.mutable_data_ptr<float>();
        for (std::int64_t i = 0; i < tensor.numel(); ++i)
            numbers[i] = static_cast<float>(draw(rng));
        tensor.requires_grad_();
    }
    m_parameters.push_back({name, tensor});
    return tensor;
}

at::Tensor ParameterMaker::uniform(const std::string& name, at::IntArrayRef sizes, double bound) {
    return make(name, sizes, [bound](Rng& rng) { return bound * (2 * rng.uniform() - 1); });
}

at::Tensor ParameterMaker::normal(const std::string& name, at::IntArrayRef sizes) {
    return make(name, sizes, [](Rng& rng) {
        const double radius = std::sqrt(-2 * std::log(1 - rng.uniform()));
        return radius * std::cos(2 * std::numbers::pi * rng.uniform());
    });
}

LinearLayer::LinearLayer(ParameterMaker& make, const std::string& name, std::int64_t inputs,
                         std::int64_t outputs)
    : weight(make.uniform(name + ".weight", {outputs, inputs},
                          1 / std::sqrt(static_cast<double>(inputs)))),
      bias(make.uniform(name + ".bias", {outputs}, 1 / std::sqrt(static_cast<double>(inputs)))) {}

at::Tensor LinearLayer::operator()(const at::Tensor& x) const {
    return at::linear(x, weight, bias);
}

at::Tensor rectified(const at::Tensor& x) {
    return x.relu_();
}

ConvolutionLayer::ConvolutionLayer(ParameterMaker& make, const std::string& name,
                                   std::int64_t inputs, std::int64_t outputs)
    : weight(make.uniform(name + ".weight", {outputs, inputs, 3, 3},
                          1 / std::sqrt(9.0 * static_cast<double>(inputs)))),
      bias(make.uniform(name + ".bias", {outputs},
                        1 / std::sqrt(9.0 * static_cast<double>(inputs)))) {}

at::Tensor ConvolutionLayer::operator()(const at::Tensor& x) const {
    return at::conv2d(x, weight, bias, /*stride=*/1, /*padding=*/1);
}

}  // namespace orrery
