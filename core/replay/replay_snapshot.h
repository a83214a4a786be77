#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/replay/replay_buffer.h"

namespace orrery {

/// A replay buffer as it stood. Immutable; any thread.
class ReplaySnapshot {
public:
    explicit ReplaySnapshot(ReplayBuffer& buffer);

    std::size_t size() const { return m_size; }
    const EncodingShape& shape() const { return m_shape; }
    const ReplayStatistics& statistics() const { return m_statistics; }

    /// @param i  in [0, size), the oldest first
    const StoredTransition& at(std::size_t i) const {
        const std::size_t slot = (m_first + i) % m_capacity;
        return m_rows[slot / ReplayBuffer::kChunk][slot % ReplayBuffer::kChunk];
    }
    const StoredModel& modelOf(std::size_t i) const {
        return ModelStore::at(m_models, at(i).model);
    }
    /// Encoded bytes of a state of one of its models.
    std::span<const std::byte> state(StateStore::Index index) const {
        return StateStore::at(m_states, m_stateBytes, index);
    }
    std::span<const std::byte> stateBefore(std::size_t i) const { return state(modelOf(i).state); }
    std::span<const std::byte> stateAfter(std::size_t i) const {
        return state(modelOf(i).successors()[at(i).reached]);
    }

private:
    EncodingShape m_shape;
    std::size_t m_capacity, m_first, m_size, m_stateBytes;
    std::vector<std::shared_ptr<const StoredTransition[]>> m_rows;
    ModelStore::Frozen m_models;
    StateStore::Frozen m_states;
    ReplayStatistics m_statistics;
};

}  // namespace orrery
