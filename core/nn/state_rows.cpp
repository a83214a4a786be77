#include "core/nn/state_rows.h"

#include <limits>

#include "core/base/error.h"

namespace orrery {

namespace {

constexpr std::size_t kFirstSlots = 1024;

}  // namespace

StateRows::StateRows() {
    m_all.push_back(std::make_unique<Slots>(kFirstSlots));
    m_current.store(m_all.back().get(), std::memory_order_release);
}

StateRows::~StateRows() = default;

StateRows::Row StateRows::findIn(const Slots& slots, const Fingerprint& state) {
    for (std::size_t at = state.low & slots.mask;; at = (at + 1) & slots.mask) {
        const Slot& slot = slots.slots[at];
        const std::uint32_t rowAndOne = slot.rowAndOne.load(std::memory_order_acquire);
        if (rowAndOne == 0) return kNone;
        if (slot.state == state) return static_cast<Row>(rowAndOne - 1);
    }
}

void StateRows::put(Slots& slots, const Fingerprint& state, Row row) {
    std::size_t at = state.low & slots.mask;
    while (slots.slots[at].rowAndOne.load(std::memory_order_relaxed) != 0)
        at = (at + 1) & slots.mask;
    Slot& slot = slots.slots[at];
    slot.state = state;
    slot.rowAndOne.store(static_cast<std::uint32_t>(row) + 1, std::memory_order_release);
}

StateRows::Row StateRows::find(const Fingerprint& state) const {
    return findIn(*m_current.load(std::memory_order_acquire), state);
}

StateRows::Row StateRows::add(const Fingerprint& state) {
    Slots& current = *m_all.back();
    const Row known = findIn(current, state);
    if (known != kNone) return known;
    const Row row = m_size.load(std::memory_order_relaxed);
    if (row == std::numeric_limits<Row>::max())
        throw Error("The tables hold 2^31 - 1 states and can hold no more. Learn with networks.",
                    Error::Kind::Resource);
    put(current, state, row);
    m_size.store(row + 1, std::memory_order_release);
    if (2 * (static_cast<std::size_t>(row) + 1) > current.slots.size()) {
        auto larger = std::make_unique<Slots>(4 * current.slots.size());
        for (const Slot& slot : current.slots)
            if (const std::uint32_t rowAndOne = slot.rowAndOne.load(std::memory_order_relaxed))
                put(*larger, slot.state, static_cast<Row>(rowAndOne - 1));
        m_all.push_back(std::move(larger));
        m_current.store(m_all.back().get(), std::memory_order_release);
    }
    return row;
}

std::size_t StateRows::allocatedBytes() const {
    std::size_t bytes = 0;
    for (const auto& slots : m_all) bytes += sizeof(Slots) + slots->slots.size() * sizeof(Slot);
    return bytes;
}

std::vector<Fingerprint> StateRows::fingerprints() const {
    std::vector<Fingerprint> all(static_cast<std::size_t>(size()));
    for (const Slot& slot : m_all.back()->slots)
        if (const std::uint32_t rowAndOne = slot.rowAndOne.load(std::memory_order_relaxed))
            all[rowAndOne - 1] = slot.state;
    return all;
}

}  // namespace orrery
