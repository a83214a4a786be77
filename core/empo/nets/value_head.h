#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/empo/nets/quantity_nets.h"
#include "core/nn/parameters.h"

namespace orrery {

/// Two hidden layers of F and one of outputs: linear, rectified, dropped; twice; linear. The first
/// layer is offered in parts, so that inputs which several rows share are multiplied once.
class ValueHead {
public:
    ValueHead() = default;
    ValueHead(const NetSpec& spec, ParameterMaker& make, const std::string& name,
              std::int64_t inputs, std::int64_t outputs);

    /// What groups of inputs add to the first layer, the bias within the first of them.
    /// @param inputs  [..., n] each; all n together are the head's inputs
    /// @return [..., F] each
    std::vector<at::Tensor> parts(at::TensorList inputs) const;
    /// @param sum  [..., F] of all parts and the bias; overwritten
    /// @return [..., outputs]
    at::Tensor finish(const at::Tensor& sum, NetPass pass) const;

private:
    at::Tensor dropped(const at::Tensor& x, NetPass pass) const;

    std::string m_name;
    double m_dropout = 0;
    LinearLayer m_first, m_second, m_last;
};

/// Zeros and 1 / (1 - rate), drawn from a stream: [sizes] on a device.
at::Tensor dropoutMask(at::IntArrayRef sizes, double rate, Rng& rng, const at::Device& device);

}  // namespace orrery
