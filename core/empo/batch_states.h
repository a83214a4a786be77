#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/replay/state_store.h"

namespace orrery {

/// Numbers the states of a batch in the order in which they are first named, each once for its
/// layout. Its memory is reused from batch to batch.
class BatchStates {
public:
    explicit BatchStates(std::size_t numLayouts) : m_numLayouts(numLayouts) {}

    /// The next batch begins.
    void begin() { ++m_batch; }

    /// The state's number in the batch; a new one is appended to both lists.
    std::int64_t localOf(StateStore::Index state, std::uint16_t layout,
                         std::vector<StateStore::Index>& states,
                         std::vector<std::uint16_t>& layouts) {
        const std::size_t place = std::size_t{state} * m_numLayouts + layout;
        if (place >= m_stamps.size()) m_stamps.resize(std::max(place + 1, 2 * m_stamps.size()));
        Stamp& stamp = m_stamps[place];
        if (stamp.batch != m_batch) {
            stamp = {m_batch, static_cast<std::uint32_t>(states.size())};
            states.push_back(state);
            layouts.push_back(layout);
        }
        return stamp.local;
    }

private:
    struct Stamp {
        std::uint32_t batch = 0, local = 0;
    };
    std::size_t m_numLayouts;
    std::vector<Stamp> m_stamps;  ///< [states x layouts]
    std::uint32_t m_batch = 0;
};

}  // namespace orrery
