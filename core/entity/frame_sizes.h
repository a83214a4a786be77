#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/entity/entity_layout.h"
#include "core/env/environment.h"

namespace orrery {

/// How much of everything there is in each of many frames: all that their shape as ragged buffers
/// follows from.
class FrameSizes {
public:
    explicit FrameSizes(const EntityLayout& layout);

    std::int64_t frames() const { return m_frames; }
    /// Of so many frames, to be measured.
    void resize(std::int64_t frames);
    /// Takes the numbers of frames; each once, from any threads.
    void measure(const EntityLayout& layout, std::span<const Observation> frames,
                 std::int64_t begin, std::int64_t end);

    /// Of each frame the things of a type of the layout.
    std::span<const std::int64_t> things(std::size_t type) const { return column(2 * type); }
    /// Of each frame who decides an action, and among how many that is selected.
    std::span<const std::int64_t> deciders(std::size_t action) const {
        return column(2 * m_types + 3 * action);
    }
    std::span<const std::int64_t> candidates(std::size_t action) const {
        return column(2 * m_types + 3 * action + 1);
    }
    /// Whether a frame hides some of the type; whether one limits the action.
    bool isHidden(std::size_t type) const { return any(2 * type + 1); }
    bool isLimited(std::size_t action) const { return any(2 * m_types + 3 * action + 2); }

private:
    std::span<const std::int64_t> column(std::size_t index) const {
        return std::span(m_numbers).subspan(index * static_cast<std::size_t>(m_frames),
                                            static_cast<std::size_t>(m_frames));
    }
    bool any(std::size_t index) const;

    std::size_t m_types, m_columns;
    std::int64_t m_frames = 0;
    std::vector<std::int64_t> m_numbers;  // [(2 types + 3 actions) x frames]
};

}  // namespace orrery
