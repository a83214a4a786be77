#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/nn/quantity_nets.h"

namespace orrery {

/// Makes the parameters of layers and lists them. Each draws its numbers from a stream of its own,
/// which its name chooses.
class ParameterMaker {
public:
    /// @param seed  nullopt: memory without numbers, for copies, that records no gradients
    explicit ParameterMaker(std::optional<std::uint64_t> seed) : m_seed(seed) {}

    /// Uniform in [-bound, bound].
    at::Tensor uniform(const std::string& name, at::IntArrayRef sizes, double bound);
    /// Normal with mean 0 and deviation 1.
    at::Tensor normal(const std::string& name, at::IntArrayRef sizes);

    std::vector<QuantityNets::Parameter> take() { return std::move(m_parameters); }

private:
    template <typename Draw>
    at::Tensor make(const std::string& name, at::IntArrayRef sizes, Draw draw);

    std::optional<std::uint64_t> m_seed;
    std::vector<QuantityNets::Parameter> m_parameters;
};

/// y = weight x + bias; both start uniform within 1 / sqrt(inputs).
struct LinearLayer {
    at::Tensor weight;  ///< [outputs, inputs]
    at::Tensor bias;    ///< [outputs]

    LinearLayer() = default;
    LinearLayer(ParameterMaker& make, const std::string& name, std::int64_t inputs,
                std::int64_t outputs);
    at::Tensor operator()(const at::Tensor& x) const;  ///< [..., inputs] -> [..., outputs]
};

/// max(x, 0), in the memory of x.
at::Tensor rectified(const at::Tensor& x);

/// 3 x 3 convolution with padding 1.
struct ConvolutionLayer {
    at::Tensor weight;  ///< [outputs, inputs, 3, 3]
    at::Tensor bias;    ///< [outputs]

    ConvolutionLayer() = default;
    ConvolutionLayer(ParameterMaker& make, const std::string& name, std::int64_t inputs,
                     std::int64_t outputs);
    at::Tensor operator()(const at::Tensor& x) const;  ///< [N, inputs, H, W] -> [N, outputs, H, W]
};

}  // namespace orrery
