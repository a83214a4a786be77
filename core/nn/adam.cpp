#include "core/nn/adam.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <optional>
#include <utility>

namespace orrery {

Adam::Adam(std::vector<NetParameter> parameters, const AdamSettings& settings)
    : m_parameters(std::move(parameters)), m_settings(settings) {
    const at::NoGradGuard off;
    for (const NetParameter& parameter : m_parameters) {
        m_average.push_back(at::zeros_like(parameter.tensor));
        m_squareAverage.push_back(at::zeros_like(parameter.tensor));
        m_steps.push_back(at::zeros({}, parameter.tensor.options()));
    }
}

void Adam::zeroGradients() {
    for (NetParameter& parameter : m_parameters) parameter.tensor.mutable_grad() = at::Tensor();
}

at::Tensor Adam::clipGradients(double maxNorm) {
    const at::NoGradGuard off;
    std::vector<at::Tensor> gradients;
    for (const NetParameter& parameter : m_parameters)
        if (parameter.tensor.grad().defined()) gradients.push_back(parameter.tensor.grad());
    if (gradients.empty()) return at::zeros({}, m_steps.front().options());
    at::Tensor norm = at::linalg_vector_norm(at::stack(at::_foreach_norm(gradients)), 2);
    at::_foreach_mul_(gradients, (maxNorm / (norm + 1e-6)).clamp_max(1));
    return norm;
}

void Adam::step(double rate, const at::Tensor& notFinite) {
    const at::NoGradGuard off;
    std::vector<at::Tensor> parameters, gradients, average, squareAverage, steps;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        const at::Tensor& parameter = m_parameters[i].tensor;
        if (!parameter.grad().defined()) continue;
        parameters.push_back(parameter);
        gradients.push_back(parameter.grad());
        average.push_back(m_average[i]);
        squareAverage.push_back(m_squareAverage[i]);
        steps.push_back(m_steps[i]);
    }
    if (parameters.empty()) return;
    const std::optional<at::Tensor> noScale;
    const auto foundInfinity = notFinite.defined() ? std::optional(notFinite) : std::nullopt;
    at::_foreach_add_(steps, 1);
    if (foundInfinity) at::_foreach_add_(steps, foundInfinity->select(0, 0), -1);
    const auto update = [&](auto&& fused) {
        fused(parameters, gradients, average, squareAverage, at::TensorList(), steps, rate,
              m_settings.beta1, m_settings.beta2, m_settings.weightDecay, m_settings.epsilon,
              /*amsgrad=*/false, /*maximize=*/false, noScale, foundInfinity);
    };
    if (m_settings.isDecoupled)
        update([](auto&&... each) { at::_fused_adamw_(each...); });
    else
        update([](auto&&... each) { at::_fused_adam_(each...); });
}

std::vector<NetParameter> Adam::state() const {
    std::vector<NetParameter> all;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        all.push_back({m_parameters[i].name + ".exp_avg", m_average[i]});
        all.push_back({m_parameters[i].name + ".exp_avg_sq", m_squareAverage[i]});
        all.push_back({m_parameters[i].name + ".step", m_steps[i]});
    }
    return all;
}

}  // namespace orrery
