#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/empo/learner/quantity_values.h"
#include "core/nn/parameters.h"

namespace orrery {

/// Random network distillation: a network learns to foretell another one that stays as it was made.
/// Where it fails, a state is new. Source: spec empo 6.3.
class NoveltyNets {
public:
    NoveltyNets(std::int64_t inputs, std::uint64_t seed);

    /// Squared distance to the fixed network, mean over its 64 outputs. [N, inputs] -> [N]
    at::Tensor errors(const at::Tensor& features) const;
    /// Errors less their running mean, in running standard deviations, in [0, 10]. [N]
    at::Tensor noveltyOf(const at::Tensor& errors) const;
    at::Tensor novelty(const at::Tensor& features) const { return noveltyOf(errors(features)); }
    /// Takes a batch's errors into the running mean and variance (share 0.01 each).
    void follow(const at::Tensor& errors);
    /// Mean error of a batch as a multiple of the running mean, in [0.1, 10]; 0-dimensional.
    at::Tensor relativeError(const at::Tensor& errors) const;

    /// What is trained, and everything that a checkpoint keeps (the live tensors).
    std::vector<NetParameter> trained() const;
    const std::vector<NetParameter>& all() const { return m_all; }
    void moveTo(const at::Device& device);
    /// A copy that records no gradients.
    std::shared_ptr<NoveltyNets> frozen() const;

    std::int64_t inputs() const { return m_inputs; }

private:
    NoveltyNets(std::int64_t inputs, ParameterMaker maker);

    std::int64_t m_inputs;
    std::vector<LinearLayer> m_fixed, m_predictor;
    at::Tensor mean() const;
    at::Tensor deviation() const;

    /// [1] running sums of mean and variance, and of the weights that they have.
    at::Tensor m_mean, m_variance, m_weight;
    std::vector<NetParameter> m_all;
};

/// What novelty is computed from: the features of all encoders of the values, each weighted;
/// without networks the numbers of agents and interactive things.
/// @param weights  [quantities] in [0, 1], of the encoders that they train
/// @return [N, noveltyInputs()]
at::Tensor noveltyFeatures(const QuantityValues& values, const StateBatch& states,
                           const std::array<double, kNumQuantities>& weights);
std::int64_t noveltyInputs(const QuantityValues& values);

}  // namespace orrery
