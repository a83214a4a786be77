#include "core/entity/net/input_norm.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <utility>

namespace orrery {

InputNorm::InputNorm(std::string name, std::int64_t features, double most)
    : m_name(std::move(name)),
      m_most(most),
      m_count(at::zeros({}, at::kFloat)),
      m_mean(at::zeros({features}, at::kFloat)),
      m_squares(at::zeros({features}, at::kFloat)) {}

void InputNorm::takeIn(const at::Tensor& x) {
    const at::NoGradGuard noGradients;
    const std::int64_t rows = x.size(0);
    if (rows == 0) return;
    const at::Tensor mean = x.mean(0), squares = (x - mean).square().sum(0);
    // In tensors throughout: nothing is read back from the device.
    const at::Tensor total = m_count + static_cast<double>(rows);
    const at::Tensor delta = mean - m_mean, share = static_cast<double>(rows) / total;
    m_squares.add_(squares + delta.square() * (m_count * share));
    m_mean.add_(delta * share);
    m_count.copy_(total);
}

at::Tensor InputNorm::operator()(const at::Tensor& x) const {
    const at::NoGradGuard noGradients;
    const at::Tensor variance = m_squares / (m_count - 1).clamp_min(1);
    at::Tensor deviation = variance.sqrt();
    deviation = at::where(deviation == 0, at::ones_like(deviation), deviation);
    const at::Tensor normal = (x - m_mean) / deviation;
    return at::where(m_count > 1, normal, x).clamp(-m_most, m_most);
}

std::vector<NetParameter> InputNorm::buffers() const {
    return {{m_name + ".count", m_count},
            {m_name + ".mean", m_mean},
            {m_name + ".squares_sum", m_squares}};
}

}  // namespace orrery
