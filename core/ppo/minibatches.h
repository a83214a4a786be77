#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/rng.h"

namespace orrery {

/// In which order the frames of a rollout are learned from: each epoch all of them once, shuffled,
/// in minibatches; the last one of an epoch has what is left. All of it is a function of the
/// generator, so that a place in it can be kept and found again.
class MinibatchPlan {
public:
    /// @param frames  of the rollout, at least 1
    /// @param size    of a minibatch, at least 1
    MinibatchPlan(std::int64_t frames, std::int64_t size);

    std::int64_t perEpoch() const { return (m_frames + m_size - 1) / m_size; }
    /// Begins an epoch.
    void shuffle(Rng& rng);
    /// Frames of a minibatch of the epoch. @param index  in [0, perEpoch())
    std::span<const std::int64_t> minibatch(std::int64_t index) const;

    /// [frames] the order of this epoch.
    const std::vector<std::int64_t>& order() const { return m_order; }
    /// Takes the order of an epoch that was begun before. @param order  each frame once
    void setOrder(std::vector<std::int64_t> order);

private:
    std::int64_t m_frames, m_size;
    std::vector<std::int64_t> m_order;
};

}  // namespace orrery
