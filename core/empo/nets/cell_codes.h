#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/encode/compact_state.h"

namespace orrery {

/// What compact cells set in the planes, by the different codes met so far; a world has some tens.
/// Keeps each code's list. One thread.
class CellCodes {
public:
    /// A number that a cell sets.
    struct Mark {
        int plane;  ///< place in the layout
        float value;
    };
    static constexpr int kMaxMarks = 6;  ///< of one cell

    explicit CellCodes(PlaneLayout layout);

    /// Index of a code, from 0 in the order of first use; 0 is the empty cell, which sets nothing.
    int indexOf(std::int32_t code) {
        for (std::size_t slot = slotOf(code);; slot = (slot + 1) & (m_slots.size() - 1)) {
            if (m_slots[slot].index < 0) return addAt(slot, code);
            if (m_slots[slot].code == code) return m_slots[slot].index;
        }
    }
    int size() const { return static_cast<int>(m_lists.size()); }
    std::span<const Mark> marks(int index) const {
        const List& list = m_lists[static_cast<std::size_t>(index)];
        return {list.marks.data(), static_cast<std::size_t>(list.count)};
    }

private:
    struct Slot {
        std::int32_t code = 0;
        std::int32_t index = -1;  ///< -1: free
    };
    struct List {
        std::array<Mark, kMaxMarks> marks{};
        int count = 0;
    };
    std::size_t slotOf(std::int32_t code) const {
        return (static_cast<std::uint32_t>(code) * 0x9E3779B1U >> 8) & (m_slots.size() - 1);
    }
    int addAt(std::size_t slot, std::int32_t code);
    void grow();

    PlaneLayout m_layout;
    std::vector<Slot> m_slots;  ///< a power of two, linear probing
    std::vector<List> m_lists;
};

}  // namespace orrery
