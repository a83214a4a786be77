#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace orrery {

/// Encoded states of one size, each kept once however often it is added, and as long as somebody
/// holds it. Beside its bytes a state costs at most 12 more. Knows nothing of worlds. One thread at
/// a time.
class StateStore {
public:
    using Index = std::uint32_t;

    /// @param stateBytes  of each state, > 0 and a multiple of 4
    explicit StateStore(std::size_t stateBytes);
    StateStore(const StateStore&) = delete;
    StateStore& operator=(const StateStore&) = delete;

    /// The index of an equal state, or of a copy that is kept from now on; held once more.
    /// @throws Error (Resource) at 2^32 - 1 states
    Index add(std::span<const std::byte> state);

    /// Holds a state once more, or once less; one that nobody holds is forgotten and its index goes
    /// to a later state.
    void hold(Index index) { ++holders(index); }
    void release(Index index);

    /// The bytes, aligned to 4; they stay where they are while the state is held.
    std::span<const std::byte> at(Index index) const { return {place(index), m_stateBytes}; }

    std::size_t size() const { return m_numStates; }  ///< different states that are held
    std::size_t stateBytes() const { return m_stateBytes; }
    /// All memory that is taken, free places included.
    std::size_t allocatedBytes() const;

private:
    static constexpr Index kNone = ~Index{0};
    static constexpr std::size_t kBlockStates = 1024;

    // A place holds a state and the number of its holders; a free one the index of the next free.
    std::byte* place(Index index) const {
        return m_blocks[index / kBlockStates].get() +
               index % kBlockStates * (m_stateBytes + sizeof(std::uint32_t));
    }
    std::uint32_t& holders(Index index) const {
        return *reinterpret_cast<std::uint32_t*>(place(index) + m_stateBytes);
    }
    Index& nextFree(Index index) const { return *reinterpret_cast<Index*>(place(index)); }
    std::size_t slotOf(std::span<const std::byte> state) const;
    std::size_t findSlot(std::span<const std::byte> state) const;
    Index newPlace();
    void grow();

    std::size_t m_stateBytes;
    std::vector<std::unique_ptr<std::byte[]>> m_blocks;  ///< kBlockStates places each
    std::size_t m_numPlaces = 0;                         ///< taken or free
    Index m_free = kNone;                                ///< first of the free places
    std::vector<Index> m_slots;                          ///< hash table, linear probing
    std::size_t m_numStates = 0;
};

}  // namespace orrery
