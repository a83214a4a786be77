#include "core/empo/learner/late_norms.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace orrery {

LateNorms::LateNorms(const at::Device& device)
    : m_norms(at::zeros({kMostSteps, kNumQuantities}, at::dtype(at::kFloat).device(device))) {}

at::Tensor LateNorms::note(std::int64_t step, unsigned stepped,
                           const std::vector<at::Tensor>& norms) {
    assert(!isFull() && !norms.empty() && std::popcount(stepped) == std::ssize(norms));
    const at::NoGradGuard off;
    const at::Tensor row = m_norms.select(0, std::ssize(m_steps)).narrow(0, 0, std::ssize(norms));
    row.copy_(at::stack(norms));
    m_steps.push_back({step, stepped});
    return row.isfinite().logical_not_().any().to(at::kFloat).view({1});
}

LateNorms::Reading LateNorms::read() {
    Reading reading;
    const at::Tensor onHost = m_norms.cpu();
    const auto* row = onHost.const_data_ptr<float>();
    for (const NotedStep& noted : m_steps) {
        bool isFinite = true;
        int place = 0;
        for (const Quantity quantity : kQuantities) {
            if ((noted.stepped >> static_cast<unsigned>(quantity) & 1U) == 0) continue;
            const bool isOwnFinite = std::isfinite(row[place++]);
            if (isFinite && !isOwnFinite) {
                reading.trouble = notFiniteText(nameOf(quantity));
                reading.step = noted.step;
            }
            isFinite &= isOwnFinite;
        }
        row += kNumQuantities;
        m_inARow = isFinite ? 0 : m_inARow + 1;
        if (isFinite) continue;
        ++reading.skipped;
        reading.mostInARow = std::max(reading.mostInARow, m_inARow);
        reading.skippedQuantities.push_back(noted.stepped);
    }
    m_steps.clear();
    return reading;
}

std::string notFiniteText(std::string_view quantity) {
    return "the gradient of " + std::string(quantity) + " is not finite";
}

}  // namespace orrery
