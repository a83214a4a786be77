#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/replay/records.h"

namespace orrery {

/// Encoded states of one size, each kept once however often it is added, and as long as somebody
/// holds it. Beside its bytes a state costs at most 12 more. Knows nothing of worlds. One thread at
/// a time.
class StateStore {
public:
    using Index = std::uint32_t;
    static constexpr std::uint32_t kNoNote = ~std::uint32_t{0};

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
    void clear();

    /// The bytes, aligned to 4, of a held state. Valid until the next add().
    std::span<const std::byte> at(Index index) const { return {place(index), m_stateBytes}; }

    /// A number for the store's user; kNoNote when the state is added. The first call takes 4 bytes
    /// of memory a place.
    std::uint32_t& note(Index index) {
        if (!m_notesStates) noteStates();
        return m_blocks[index / kBlockStates].notes[index % kBlockStates];
    }

    std::size_t size() const { return m_numStates; }  ///< different states that are held
    std::size_t stateBytes() const { return m_stateBytes; }
    /// One more than the largest index so far.
    std::size_t numPlaces() const { return m_numPlaces; }
    /// All memory that is taken, free places included.
    std::size_t allocatedBytes() const;

    /// The states in pieces whose bytes do not change any more; what changes later is copied first.
    using Frozen = std::vector<std::shared_ptr<const std::byte[]>>;
    Frozen freeze();
    static std::span<const std::byte> at(const Frozen& frozen, std::size_t stateBytes,
                                         Index index) {
        return {frozen[index / kBlockStates].get() + index % kBlockStates * stateBytes, stateBytes};
    }

    /// Writes everything but the notes and the numbers of holders.
    void save(const RecordSink& sink) const;
    /// Replaces everything, every index as it was. Nobody holds the states until they are held;
    /// those that nobody will hold must not stay.
    /// @throws Error (Damaged); the store is then empty
    void load(const RecordSource& source);
    /// [numPlaces] true for a place with a state.
    std::vector<bool> takenPlaces() const;
    /// Of a state that was added or loaded.
    std::uint32_t numHolders(Index index) const { return holders(index); }

private:
    static constexpr Index kNone = ~Index{0};
    static constexpr std::size_t kBlockStates = 256;

    struct Block {
        std::shared_ptr<std::byte[]> bytes;        ///< [kBlockStates x stateBytes]
        std::unique_ptr<std::uint32_t[]> holders;  ///< of a free place: the index of the next free
        std::unique_ptr<std::uint32_t[]> notes;    ///< null without notes
        std::uint32_t generation = 0;
    };

    const std::byte* place(Index index) const {
        return m_blocks[index / kBlockStates].bytes.get() + index % kBlockStates * m_stateBytes;
    }
    std::uint32_t& holders(Index index) const {
        return m_blocks[index / kBlockStates].holders[index % kBlockStates];
    }
    std::byte* writablePlace(Index index);
    std::size_t slotOf(std::span<const std::byte> state) const;
    std::size_t findSlot(std::span<const std::byte> state) const;
    Index newPlace();
    void addBlock();
    void noteStates();
    void loadStates(const RecordSource& source);
    void grow();

    std::size_t m_stateBytes;
    std::vector<Block> m_blocks;
    std::size_t m_numPlaces = 0;  ///< taken or free
    Index m_free = kNone;         ///< first of the free places
    std::vector<Index> m_slots;   ///< hash table, linear probing
    std::size_t m_numStates = 0;
    bool m_notesStates = false;
    std::uint32_t m_generation = 0;
};

}  // namespace orrery
