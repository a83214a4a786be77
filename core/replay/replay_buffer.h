#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/rng.h"
#include "core/encode/compact_state.h"
#include "core/replay/replay_statistics.h"
#include "core/replay/state_store.h"
#include "core/replay/stored_model.h"
#include "core/replay/transition.h"

namespace orrery {

class ReplaySnapshot;

/// One stored transition. See Transition for what its members mean.
struct StoredTransition {
    std::int64_t episode = 0;
    std::int64_t insertedAt = 0;  ///< training step at which it was stored
    std::uint32_t model = 0;      ///< ReplayBuffer::model
    std::uint32_t reached = 0;    ///< in [0, U) of its model
    std::int32_t robotAction = 0;
    std::int32_t step = 0;
    std::uint16_t layout = 0;
    std::uint16_t collector = 0;
    bool endsEpisode = false;
    std::array<std::uint8_t, kMaxLearnedHumans> humanActions{};
    std::array<std::int8_t, kMaxLearnedHumans> goals{};
    std::array<float, kMaxLearnedHumans> goalWeights{};
};

/// The last `capacity` transitions, the oldest making room for the newest. A state is kept once
/// however many transitions start there or may lead there, and so is what can follow it. Equal
/// runs of the same calls give equal buffers, indices of states and models included. One thread.
class ReplayBuffer {
public:
    /// Place of a transition in the ring, in [0, capacity); it stays there until it is overwritten.
    using Slot = std::uint32_t;
    static constexpr Slot kNone = ~Slot{0};

    /// @param capacity  in [1, 2^31]
    ReplayBuffer(const EncodingShape& shape, std::size_t capacity);
    ~ReplayBuffer();
    ReplayBuffer(const ReplayBuffer&) = delete;
    ReplayBuffer& operator=(const ReplayBuffer&) = delete;

    /// Copies what is new in the transition's model; the model itself is not kept.
    /// @param trainingStep  of the learner, never less than in the call before
    /// @return where it lies
    Slot add(const Transition& transition, std::int64_t trainingStep);
    /// Forgets all transitions; their numbering goes on.
    void clear();

    std::size_t size() const { return m_size; }
    std::size_t capacity() const { return m_capacity; }
    const EncodingShape& shape() const { return m_shape; }

    /// How many transitions were stored at training step `oldest` or later. O(log size).
    std::size_t numSince(std::int64_t oldest) const;
    /// Draws different transitions, all equally likely, among those stored at training step
    /// `oldest` or later. The set is uniform; the order is not.
    /// @param out  is replaced: `count` slots, or fewer if there are not as many
    void sample(std::size_t count, std::int64_t oldest, Rng& rng, std::vector<Slot>& out);

    const StoredTransition& at(Slot slot) const {
        return m_rows[slot / kChunk].items[slot % kChunk];
    }
    const StoredModel& model(std::uint32_t index) const { return m_models.at(index); }
    const StoredModel& modelOf(Slot slot) const { return model(at(slot).model); }
    /// The state after it: an index of states().
    StateStore::Index reachedState(Slot slot) const {
        return modelOf(slot).successors()[at(slot).reached];
    }
    /// The next step of the same episode and collector, or kNone if it is not there.
    Slot next(Slot slot) const { return m_next[slot]; }
    /// The i-th oldest, i in [0, size).
    Slot slotOfAge(std::size_t i) const;

    /// All states, those of models included.
    const StateStore& states() const { return m_states; }
    /// One number a state for whoever reads the buffer, StateStore::kNoNote for a new one.
    /// Memory for it is taken at the first call.
    std::uint32_t& note(StateStore::Index state) { return m_states.note(state); }

    ReplayStatistics statistics() const;
    std::size_t allocatedBytes() const;

    /// What is stored now, for other threads, unchanged by what comes later. It costs little: data
    /// are copied piece by piece when they change next.
    std::shared_ptr<const ReplaySnapshot> snapshot();

    /// Writes everything in records of at most some MiB. Notes of states are not saved.
    void save(const RecordSink& sink) const;
    /// Replaces everything by what save() wrote, so that all goes on as if it had not been saved.
    /// Of a buffer of another capacity the newest transitions are taken, as many as there is room
    /// for; they lie in other slots.
    /// @throws Error (Damaged) if a record is missing, too many or not as it was written,
    ///         (BadInput) if the shape is another; the buffer is then empty
    void load(const RecordSource& source);

private:
    friend class ReplaySnapshot;
    static constexpr std::size_t kChunk = 2048;  ///< transitions
    struct Chunk {
        std::shared_ptr<StoredTransition[]> items;  ///< [kChunk]
        std::uint32_t generation = 0;
    };
    struct LastStep {
        Slot slot = kNone;
        std::int64_t number = -1;  ///< of the transition, so that an overwritten one is known
    };

    StoredTransition& writable(Slot slot);
    ModelStore::Added held(const Transition& transition);
    void makePlaceFor(Slot slot);
    void link(Slot slot);
    void requireFits(const Transition& transition) const;
    struct SavedRing;
    void loadParts(const RecordSource& source);
    SavedRing loadHead(ByteReader head);
    /// @return the models of transitions that there is no room for, held by them until released
    std::vector<ModelStore::Index> loadRows(const RecordSource& source, const SavedRing& ring);
    Slot slotNow(const SavedRing& ring, Slot saved) const;

    EncodingShape m_shape;
    std::size_t m_capacity;
    StateStore m_states;
    ModelStore m_models;
    std::vector<Chunk> m_rows;
    std::vector<Slot> m_next;              ///< [capacity]
    std::vector<std::uint32_t> m_drawnIn;  ///< [capacity] number of the draw that took it last
    std::uint32_t m_draw = 0;
    std::unordered_map<std::uint16_t, LastStep> m_lastOf;  ///< by collector
    std::size_t m_first = 0;                               ///< slot of the oldest
    std::size_t m_size = 0;
    std::int64_t m_added = 0, m_evicted = 0, m_sampled = 0, m_shared = 0;
    std::uint32_t m_generation = 0;
};

}  // namespace orrery
