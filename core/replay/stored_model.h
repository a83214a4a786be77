#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/replay/fingerprint.h"
#include "core/replay/records.h"
#include "core/replay/state_store.h"
#include "core/replay/step_model.h"

namespace orrery {

/// A StepModel whose states are indices of a StateStore.
class StoredModel {
public:
    StateStore::Index state = 0;
    std::int32_t profile = -1;  ///< human profile of all rows; -1: rows of every profile
    std::uint16_t layout = 0;
    bool endsWorld = false;

    std::uint32_t numRows() const { return m_rows; }
    std::uint32_t numEntries() const { return m_entries; }
    std::span<const StateStore::Index> successors() const {
        return {words(), m_successors};
    }                                                  // [U]
    std::span<const std::uint32_t> rowBegin() const {  ///< [rows + 1]
        return {words() + m_successors, m_rows + 1};
    }
    std::span<const std::uint32_t> successor() const {  ///< [E] in [0, U)
        return {rowBegin().data() + m_rows + 1, m_entries};
    }
    std::span<const float> probability() const {  ///< [E]
        return {reinterpret_cast<const float*>(successor().data() + m_entries), m_entries};
    }
    std::span<const float> duration() const {  ///< [rows], empty: 1 everywhere
        return {probability().data() + m_entries, m_durations};
    }
    std::span<const float> prior() const {  ///< as StepModel::prior
        return {duration().data() + m_durations, m_priors};
    }

private:
    friend class ModelStore;
    const std::uint32_t* words() const { return m_words.get(); }
    std::size_t numWords() const {
        return std::size_t{m_successors} + m_rows + 1 + 2 * std::size_t{m_entries} + m_durations +
               m_priors;
    }

    std::uint32_t m_successors = 0, m_rows = 0, m_entries = 0, m_durations = 0, m_priors = 0;
    std::uint32_t m_holders = 0;  ///< transitions; a free one: the index of the next free
    Fingerprint m_key = {};
    std::shared_ptr<const std::uint32_t[]> m_words;
};

/// Models, each kept once for its layout and as long as a transition holds it. One thread.
class ModelStore {
public:
    using Index = std::uint32_t;
    static constexpr Index kNone = ~Index{0};

    /// @param states  must outlive it
    explicit ModelStore(StateStore& states) : m_states(states) {}
    ModelStore(const ModelStore&) = delete;
    ModelStore& operator=(const ModelStore&) = delete;

    struct Added {
        Index index;
        bool isNew;
    };
    /// An equal model, held once more, or kNone.
    /// @param fingerprint  of the model
    Index holdEqual(const Fingerprint& fingerprint, std::uint16_t layout);
    /// An equal model, or a copy that is kept from now on; held once more.
    Added add(const StepModel& model, std::uint16_t layout);
    void release(Index index);
    void clear();

    const StoredModel& at(Index index) const {
        return m_chunks[index / kChunk].items[index % kChunk];
    }
    std::size_t size() const { return m_byKey.size(); }
    std::size_t allocatedBytes() const;

    /// Models in pieces that are not changed any more; those that change later are copied first.
    using Frozen = std::vector<std::shared_ptr<const StoredModel[]>>;
    Frozen freeze();
    static const StoredModel& at(const Frozen& frozen, Index index) {
        return frozen[index / kChunk][index % kChunk];
    }

    /// Writes everything but the numbers of holders.
    void save(const RecordSink& sink) const;
    /// Replaces everything, every index as it was, and holds the states. Nobody holds the models
    /// until they are held.
    /// @throws Error (Damaged); the store is then empty
    void load(const RecordSource& source);
    void hold(Index index) { ++writable(index).m_holders; }
    std::size_t numPlaces() const { return m_numPlaces; }
    /// [numPlaces] true for a place with a model.
    std::vector<bool> takenPlaces() const;
    std::uint32_t numHolders(Index index) const { return at(index).m_holders; }

private:
    static constexpr std::size_t kChunk = 1024;
    struct Chunk {
        std::shared_ptr<StoredModel[]> items;
        std::uint32_t generation = 0;
    };
    StoredModel& writable(Index index);
    Index newPlace();
    void addChunk();
    void loadModels(const RecordSource& source);
    StoredModel readModel(ByteReader& in, const std::vector<bool>& takenStates);

    StateStore& m_states;
    std::vector<Chunk> m_chunks;
    std::unordered_map<Fingerprint, Index> m_byKey;
    std::size_t m_numPlaces = 0;
    Index m_free = kNone;
    std::size_t m_wordBytes = 0;
    std::uint32_t m_generation = 0;
};

}  // namespace orrery
