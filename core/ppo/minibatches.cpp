#include "core/ppo/minibatches.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace orrery {

MinibatchPlan::MinibatchPlan(std::int64_t frames, std::int64_t size)
    : m_frames(frames), m_size(size), m_order(static_cast<std::size_t>(frames)) {
    assert(frames >= 1 && size >= 1);
    std::iota(m_order.begin(), m_order.end(), std::int64_t{0});
}

void MinibatchPlan::shuffle(Rng& rng) {
    for (std::size_t left = m_order.size(); left > 1; --left)
        std::swap(m_order[left - 1], m_order[rng.below(left)]);
}

std::span<const std::int64_t> MinibatchPlan::minibatch(std::int64_t index) const {
    assert(index >= 0 && index < perEpoch());
    const std::int64_t begin = index * m_size;
    return std::span(m_order).subspan(begin, std::min(m_size, m_frames - begin));
}

void MinibatchPlan::setOrder(std::vector<std::int64_t> order) {
    assert(std::ssize(order) == m_frames);
    m_order = std::move(order);
}

}  // namespace orrery
