#include "core/replay/state_store.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "core/base/error.h"
#include "core/replay/mixing.h"

namespace orrery {

namespace {

constexpr std::size_t kFirstSlots = 1024;  // seven of ten may be taken

/// Four lanes of multiplications, so that they overlap.
std::uint64_t hashOf(std::span<const std::byte> bytes) {
    std::uint64_t lanes[4] = {kMixFactors[3], kMixFactors[2], kMixFactors[1],
                              kMixFactors[0] ^ bytes.size()};
    std::size_t at = 0;
    const auto word = [&](std::size_t offset) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data() + offset, std::min<std::size_t>(8, bytes.size() - offset));
        return value;
    };
    for (; at + 32 <= bytes.size(); at += 32)
        for (std::size_t lane = 0; lane < 4; ++lane)
            lanes[lane] = mixed(lanes[lane] ^ word(at + 8 * lane), kMixFactors[lane]);
    for (std::size_t lane = 0; at < bytes.size(); at += 8, ++lane)
        lanes[lane] = mixed(lanes[lane] ^ word(at), kMixFactors[lane]);
    return mixed(lanes[0] ^ lanes[2], lanes[1] ^ lanes[3]);
}

}  // namespace

StateStore::StateStore(std::size_t stateBytes)
    : m_stateBytes(stateBytes), m_slots(kFirstSlots, kNone) {}

std::size_t StateStore::slotOf(std::span<const std::byte> state) const {
    // The high bits of hash times number of slots: no division.
    return static_cast<std::size_t>(static_cast<Uint128>(hashOf(state)) * m_slots.size() >> 64);
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
    if (10 * (m_numStates + 1) > 7 * m_slots.size()) {
        grow();
        slot = findSlot(state);
    }
    const Index index = newPlace();
    std::ranges::copy(state, writablePlace(index));
    holders(index) = 1;
    if (m_notesStates) note(index) = kNoNote;
    m_slots[slot] = index;
    ++m_numStates;
    return index;
}

StateStore::Index StateStore::newPlace() {
    if (m_free != kNone) {
        const Index index = m_free;
        m_free = holders(index);
        return index;
    }
    if (m_numPlaces == kNone)
        throw Error(
            "The replay buffer holds more than 4,294,967,294 different states; give it "
            "fewer transitions.",
            Error::Kind::Resource);
    if (m_numPlaces % kBlockStates == 0) addBlock();
    return static_cast<Index>(m_numPlaces++);
}

void StateStore::addBlock() {
    Block block;
    block.bytes = std::shared_ptr<std::byte[]>(new std::byte[kBlockStates * m_stateBytes]);
    block.holders = std::make_unique_for_overwrite<std::uint32_t[]>(kBlockStates);
    if (m_notesStates) block.notes = std::make_unique_for_overwrite<std::uint32_t[]>(kBlockStates);
    block.generation = m_generation;
    m_blocks.push_back(std::move(block));
}

std::byte* StateStore::writablePlace(Index index) {
    Block& block = m_blocks[index / kBlockStates];
    if (block.generation != m_generation) {  // somebody may be reading the old bytes
        std::shared_ptr<std::byte[]> copy(new std::byte[kBlockStates * m_stateBytes]);
        const std::size_t begin = index / kBlockStates * kBlockStates;
        const std::size_t taken = std::min(m_numPlaces - begin, kBlockStates);
        std::memcpy(copy.get(), block.bytes.get(), taken * m_stateBytes);
        block.bytes = std::move(copy);
        block.generation = m_generation;
    }
    return block.bytes.get() + index % kBlockStates * m_stateBytes;
}

StateStore::Frozen StateStore::freeze() {
    ++m_generation;
    Frozen frozen;
    frozen.reserve(m_blocks.size());
    for (const Block& block : m_blocks) frozen.emplace_back(block.bytes);
    return frozen;
}

void StateStore::noteStates() {
    m_notesStates = true;
    for (Block& block : m_blocks) {
        block.notes = std::make_unique_for_overwrite<std::uint32_t[]>(kBlockStates);
        std::fill_n(block.notes.get(), kBlockStates, kNoNote);
    }
}

void StateStore::grow() {
    std::vector<Index> old(m_slots.size() + m_slots.size() / 5, kNone);
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
    holders(index) = m_free;
    m_free = index;
    --m_numStates;
}

void StateStore::clear() {
    m_blocks.clear();
    m_slots.assign(kFirstSlots, kNone);
    m_numPlaces = m_numStates = 0;
    m_free = kNone;
}

std::size_t StateStore::allocatedBytes() const {
    constexpr std::size_t kControlBlock = 32;  // beside the bytes of a block
    const std::size_t numbers = m_notesStates ? 2 : 1;
    const std::size_t places = kBlockStates * (m_stateBytes + numbers * sizeof(std::uint32_t));
    return m_blocks.size() * (places + kControlBlock) + m_blocks.capacity() * sizeof(Block) +
           m_slots.capacity() * sizeof(Index);
}

std::vector<bool> StateStore::takenPlaces() const {
    std::vector<bool> taken(m_numPlaces, true);
    for (Index free = m_free; free != kNone; free = holders(free)) taken[free] = false;
    return taken;
}

void StateStore::save(const RecordSink& sink) const {
    ByteWriter out;
    out.put(std::uint64_t{m_stateBytes});
    out.put(std::uint64_t{m_numPlaces});
    std::vector<Index> free;
    for (Index index = m_free; index != kNone; index = holders(index)) free.push_back(index);
    out.putList(free);
    sink(out.bytes());
    out.clear();
    const std::vector<bool> taken = takenPlaces();
    for (Index index = 0; index < m_numPlaces; ++index) {
        if (taken[index]) out.putAll(at(index));
        if (out.bytes().size() < kRecordBytes) continue;
        sink(out.bytes());
        out.clear();
    }
    if (!out.bytes().empty()) sink(out.bytes());
}

void StateStore::load(const RecordSource& source) {
    clear();
    try {
        loadStates(source);
    } catch (...) {
        clear();
        throw;
    }
}

void StateStore::loadStates(const RecordSource& source) {
    ByteReader head = nextRecord(source, "replay buffer");
    head.require(head.get<std::uint64_t>() == m_stateBytes, "its states have another size");
    const auto numPlaces = head.get<std::uint64_t>();
    head.require(numPlaces < kNone, "it has too many states");
    const auto free = head.getList<Index>();
    head.requireEnd();
    head.require(free.size() <= numPlaces, "more places are free than there are");
    std::unordered_map<Index, Index> next;
    for (std::size_t i = 0; i < free.size(); ++i)
        head.require(free[i] < numPlaces &&
                         next.emplace(free[i], i + 1 < free.size() ? free[i + 1] : kNone).second,
                     "its free places are wrong");
    ByteReader record({}, "replay buffer");
    std::vector<std::byte> state(m_stateBytes);
    while (m_numPlaces < numPlaces) {
        if (m_numPlaces % kBlockStates == 0) addBlock();
        const auto index = static_cast<Index>(m_numPlaces);
        const auto isFree = next.find(index);
        if (isFree != next.end()) {
            holders(index) = isFree->second;
        } else {
            if (record.left() == 0) record = nextRecord(source, "replay buffer");
            record.getAll(std::span(state));
            if (10 * (m_numStates + 1) > 7 * m_slots.size()) grow();
            const std::size_t slot = findSlot(state);
            record.require(m_slots[slot] == kNone, "it has a state twice");
            std::ranges::copy(state, writablePlace(index));
            m_slots[slot] = index;
            holders(index) = 0;
            ++m_numStates;
        }
        if (m_notesStates) m_blocks.back().notes[index % kBlockStates] = kNoNote;
        ++m_numPlaces;
    }
    record.requireEnd();
    m_free = free.empty() ? kNone : free.front();
}

}  // namespace orrery
