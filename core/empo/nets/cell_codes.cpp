#include "core/empo/nets/cell_codes.h"

#include <utility>

namespace orrery {

CellCodes::CellCodes(PlaneLayout layout) : m_layout(layout), m_slots(256) {
    indexOf(CellBits{}.packed());
}

int CellCodes::addAt(std::size_t slot, std::int32_t code) {
    // The planes of one cell alone say what its code means.
    std::array<float, kNumPlanes> planes{};
    const std::span<float> shown(planes.data(), static_cast<std::size_t>(numPlanes(m_layout)));
    decompress(std::span(&code, 1), m_layout, shown);
    List list;
    for (std::size_t plane = 0; plane < shown.size(); ++plane)
        if (shown[plane] != 0)
            list.marks[static_cast<std::size_t>(list.count++)] = {static_cast<int>(plane),
                                                                  shown[plane]};
    const int index = size();
    m_lists.push_back(list);
    m_slots[slot] = {code, index};
    if (4 * m_lists.size() > m_slots.size()) grow();
    return index;
}

void CellCodes::grow() {
    const std::vector<Slot> old = std::exchange(m_slots, std::vector<Slot>(2 * m_slots.size()));
    for (const Slot& entry : old) {
        if (entry.index < 0) continue;
        std::size_t slot = slotOf(entry.code);
        while (m_slots[slot].index >= 0) slot = (slot + 1) & (m_slots.size() - 1);
        m_slots[slot] = entry;
    }
}

}  // namespace orrery
