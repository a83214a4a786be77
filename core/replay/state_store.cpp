#include "core/replay/state_store.h"

#include <algorithm>
#include <cstring>

#include "core/base/error.h"

namespace orrery {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kFirstSlots = 1536;  // two of three may be taken

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Four lanes of multiplications, so that they overlap.
std::uint64_t hashOf(std::span<const std::byte> bytes) {
    constexpr std::uint64_t kOdd[4] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb,
                                       0xd6e8feb86659fd93};
    std::uint64_t lanes[4] = {kOdd[3], kOdd[2], kOdd[1], kOdd[0] ^ bytes.size()};
    std::size_t at = 0;
    const auto word = [&](std::size_t offset) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data() + offset, std::min<std::size_t>(8, bytes.size() - offset));
        return value;
    };
    for (; at + 32 <= bytes.size(); at += 32)
        for (std::size_t lane = 0; lane < 4; ++lane)
            lanes[lane] = mixed(lanes[lane] ^ word(at + 8 * lane), kOdd[lane]);
    for (std::size_t lane = 0; at < bytes.size(); at += 8, ++lane)
        lanes[lane] = mixed(lanes[lane] ^ word(at), kOdd[lane]);
    return mixed(lanes[0] ^ lanes[2], lanes[1] ^ lanes[3]);
}

}  // namespace

StateStore::StateStore(std::size_t stateBytes)
    : m_stateBytes(stateBytes), m_slots(kFirstSlots, kNone) {}

std::size_t StateStore::slotOf(std::span<const std::byte> state) const {
    // The high bits of hash times number of slots: no division.
    return static_cast<std::size_t>(static_cast<Wide>(hashOf(state)) * m_slots.size() >> 64);
}

std::size_t StateStore::findSlot(std::span<const std::byte> state) const {
    std::size_t slot = slotOf(state);
    while (m_slots[slot] != kNone &&
           std::memcmp(at(m_slots[slot]).data(), state.data(), m_stateBytes) != 0)
        if (++slot == m_slots.size()) slot = 0;
    return slot;
}

StateStore::Index StateStore::add(std::span<const std::byte> state) {
    std::size_t slot = findSlot(state);
    if (m_slots[slot] != kNone) {
        hold(m_slots[slot]);
        return m_slots[slot];
    }
    if (3 * (m_numStates + 1) > 2 * m_slots.size()) {
        grow();
        slot = findSlot(state);
    }
    const Index index = newPlace();
    std::ranges::copy(state, place(index));
    holders(index) = 1;
    m_slots[slot] = index;
    ++m_numStates;
    return index;
}

StateStore::Index StateStore::newPlace() {
    if (m_free != kNone) {
        const Index index = m_free;
        m_free = nextFree(index);
        return index;
    }
    if (m_numPlaces == kNone)
        throw Error(
            "The replay buffer holds more than 4,294,967,294 different states; give it "
            "fewer transitions.",
            Error::Kind::Resource);
    if (m_numPlaces % kBlockStates == 0)
        m_blocks.push_back(std::make_unique_for_overwrite<std::byte[]>(
            kBlockStates * (m_stateBytes + sizeof(std::uint32_t))));
    return static_cast<Index>(m_numPlaces++);
}

void StateStore::grow() {
    std::vector<Index> old(m_slots.size() + m_slots.size() / 4, kNone);
    old.swap(m_slots);
    for (const Index index : old) {
        if (index == kNone) continue;
        std::size_t slot = slotOf(at(index));
        while (m_slots[slot] != kNone)
            if (++slot == m_slots.size()) slot = 0;
        m_slots[slot] = index;
    }
}

void StateStore::release(Index index) {
    if (--holders(index) != 0) return;
    std::size_t hole = findSlot(at(index));
    // Those that were pushed past the hole move up, so that no search ends before them.
    for (std::size_t next = hole;;) {
        if (++next == m_slots.size()) next = 0;
        if (m_slots[next] == kNone) break;
        const std::size_t home = slotOf(at(m_slots[next]));
        const std::size_t size = m_slots.size();
        const std::size_t fromHome = (next + size - home) % size;
        const std::size_t fromHole = (next + size - hole) % size;
        if (fromHome < fromHole) continue;
        m_slots[hole] = m_slots[next];
        hole = next;
    }
    m_slots[hole] = kNone;
    nextFree(index) = m_free;
    m_free = index;
    --m_numStates;
}

std::size_t StateStore::allocatedBytes() const {
    return m_blocks.size() * kBlockStates * (m_stateBytes + sizeof(std::uint32_t)) +
           m_slots.capacity() * sizeof(Index);
}

}  // namespace orrery
