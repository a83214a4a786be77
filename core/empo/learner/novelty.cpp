#include "core/empo/learner/novelty.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <array>
#include <string>

namespace orrery {

namespace {

constexpr std::array<std::int64_t, 3> kFixedSizes = {256, 256, 64};
constexpr std::array<std::int64_t, 4> kPredictorSizes = {256, 256, 256, 64};
constexpr double kNewShare = 0.01;  ///< of a batch in the running mean and variance
constexpr double kGreatestNovelty = 10;
/// Brings raw numbers (positions, steps, flags) near 1.
constexpr double kRawScale = 0.1;

template <std::size_t N>
std::vector<LinearLayer> layers(ParameterMaker& make, const std::string& name, std::int64_t inputs,
                                const std::array<std::int64_t, N>& sizes) {
    std::vector<LinearLayer> list;
    for (std::size_t i = 0; i < N; ++i) {
        list.emplace_back(make, name + "." + std::to_string(i), inputs, sizes[i]);
        inputs = sizes[i];
    }
    return list;
}

at::Tensor run(const std::vector<LinearLayer>& list, at::Tensor x) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        x = list[i](x);
        if (i + 1 < list.size()) x = at::relu(x);
    }
    return x;
}

}  // namespace

NoveltyNets::NoveltyNets(std::int64_t inputs, std::uint64_t seed)
    : NoveltyNets(inputs, ParameterMaker(seed)) {}

NoveltyNets::NoveltyNets(std::int64_t inputs, ParameterMaker maker)
    : m_inputs(inputs),
      m_fixed(layers(maker, "rnd.fixed", inputs, kFixedSizes)),
      m_predictor(layers(maker, "rnd.predictor", inputs, kPredictorSizes)),
      m_mean(at::zeros({1})),
      m_variance(at::zeros({1})),
      m_weight(at::zeros({1})),
      m_all(maker.take()) {
    for (const LinearLayer& layer : m_fixed) {
        layer.weight.set_requires_grad(false);
        layer.bias.set_requires_grad(false);
    }
    m_all.push_back({"rnd.mean", m_mean});
    m_all.push_back({"rnd.variance", m_variance});
    m_all.push_back({"rnd.weight", m_weight});
}

at::Tensor NoveltyNets::errors(const at::Tensor& features) const {
    return (run(m_predictor, features) - run(m_fixed, features).detach()).square().mean(1);
}

at::Tensor NoveltyNets::noveltyOf(const at::Tensor& errors) const {
    const at::NoGradGuard withoutGradients;
    return ((errors - mean()) / deviation()).clamp_(0, kGreatestNovelty);
}

at::Tensor NoveltyNets::mean() const {
    return m_mean / m_weight.clamp_min(kNewShare);
}
at::Tensor NoveltyNets::deviation() const {
    return (m_variance / m_weight.clamp_min(kNewShare) + 1e-8).sqrt();
}

void NoveltyNets::follow(const at::Tensor& errors) {
    const at::NoGradGuard withoutGradients;
    const at::Tensor batch = errors.detach();
    m_weight.mul_(1 - kNewShare).add_(kNewShare);
    m_mean.mul_(1 - kNewShare).add_(batch.mean(), kNewShare);
    m_variance.mul_(1 - kNewShare).add_((batch - mean()).square().mean(), kNewShare);
}

at::Tensor NoveltyNets::relativeError(const at::Tensor& errors) const {
    const at::NoGradGuard withoutGradients;
    return (errors.detach().mean() / (mean().select(0, 0) + 1e-8)).clamp(0.1, 10.0);
}

std::vector<NetParameter> NoveltyNets::trained() const {
    std::vector<NetParameter> list;
    for (const NetParameter& parameter : m_all)
        if (parameter.tensor.requires_grad()) list.push_back(parameter);
    return list;
}

void NoveltyNets::moveTo(const at::Device& device) {
    const at::NoGradGuard withoutGradients;
    for (const NetParameter& parameter : m_all)
        parameter.tensor.set_data(parameter.tensor.to(device));
}

std::shared_ptr<NoveltyNets> NoveltyNets::frozen() const {
    const at::NoGradGuard withoutGradients;
    std::shared_ptr<NoveltyNets> copy(new NoveltyNets(m_inputs, ParameterMaker(std::nullopt)));
    copy->moveTo(m_mean.device());
    for (std::size_t i = 0; i < m_all.size(); ++i) copy->m_all[i].tensor.copy_(m_all[i].tensor);
    return copy;
}

at::Tensor noveltyFeatures(const QuantityValues& values, const StateBatch& states,
                           const std::array<double, kNumQuantities>& weights) {
    const at::NoGradGuard withoutGradients;
    if (!values.nets)
        return at::cat({states.tensors.agents, states.tensors.interactive}, 1).mul_(kRawScale);
    std::vector<at::Tensor> parts;
    for (const Quantity quantity : kQuantities) {
        const auto i = static_cast<std::size_t>(quantity);
        if (quantity == Quantity::V_h_e) {
            parts.push_back(values.nets->encodeShared(states.tensors, nullptr).state * weights[i]);
            continue;
        }
        const auto head = static_cast<NetHead>(i);
        if (!values.nets->spec().hasHead(head)) continue;
        const HumanPlaces* places = head == NetHead::X_h ? &states.places : nullptr;
        const StateFeatures own = values.nets->encodeOwn(head, states.tensors, places);
        if (own.state.defined()) parts.push_back(own.state * weights[i]);
    }
    return at::cat(parts, 1);
}

std::int64_t noveltyInputs(const QuantityValues& values) {
    if (!values.nets) {
        const EncodingShape& shape = values.facts->worlds.front().shape;
        return static_cast<std::int64_t>(shape.agentNumbers() + shape.interactiveNumbers());
    }
    const NetSpec& spec = values.nets->spec();
    std::int64_t count = 1;
    for (const NetHead head : {NetHead::X_h, NetHead::U_r, NetHead::Q_r, NetHead::V_r})
        count += spec.hasHead(head) && spec.hasOwnEncoders();
    return count * values.nets->stateFeatures();
}

}  // namespace orrery
