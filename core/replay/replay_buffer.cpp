#include "core/replay/replay_buffer.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/replay/replay_snapshot.h"

namespace orrery {

ReplayBuffer::ReplayBuffer(const EncodingShape& shape, std::size_t capacity)
    : m_shape(shape), m_capacity(capacity), m_states(shape.bytes()), m_models(m_states) {
    if (capacity < 1 || capacity > std::size_t{1} << 31)
        throw Error("A replay buffer of " + std::to_string(capacity) +
                        " transitions cannot be made; give 1 to 2147483648.",
                    Error::Kind::BadInput);
}

ReplayBuffer::~ReplayBuffer() = default;

ReplayBuffer::Slot ReplayBuffer::slotOfAge(std::size_t i) const {
    const std::size_t slot = m_first + i;
    return static_cast<Slot>(slot < m_capacity ? slot : slot - m_capacity);
}

StoredTransition& ReplayBuffer::writable(Slot slot) {
    Chunk& chunk = m_rows[slot / kChunk];
    if (chunk.generation != m_generation) {  // somebody may be reading the old ones
        std::shared_ptr<StoredTransition[]> copy(new StoredTransition[kChunk]);
        std::copy_n(chunk.items.get(), kChunk, copy.get());
        chunk = {std::move(copy), m_generation};
    }
    return chunk.items[slot % kChunk];
}

void ReplayBuffer::requireFits(const Transition& transition) const {
    const StepModel* model = transition.model.get();
    if (model == nullptr || model->state.size() != m_states.stateBytes() ||
        model->successors.size() % m_states.stateBytes() != 0 ||
        transition.reached >= model->numSuccessors() || model->rowBegin.size() < 2)
        throw Error("A transition with states of " +
                        std::to_string(model == nullptr ? 0 : model->state.size()) +
                        " bytes does not fit into a replay buffer of states of " +
                        std::to_string(m_states.stateBytes()) +
                        "; give the run one shape that covers its worlds.",
                    Error::Kind::BadInput);
}

ReplayBuffer::Slot ReplayBuffer::add(const Transition& transition, std::int64_t trainingStep) {
    const bool isFull = m_size == m_capacity;
    const auto slot = isFull ? static_cast<Slot>(m_first) : slotOfAge(m_size);
    // The new model first, so that what both have in common stays.
    const ModelStore::Added model = held(transition);
    m_shared += model.isNew ? 0 : 1;
    if (isFull) {
        m_models.release(at(slot).model);
        m_first = m_first + 1 == m_capacity ? 0 : m_first + 1;
        --m_size;
        ++m_evicted;
    }
    makePlaceFor(slot);
    StoredTransition& row = writable(slot);
    row = {.episode = transition.episode,
           .insertedAt = trainingStep,
           .model = model.index,
           .reached = transition.reached,
           .robotAction = transition.robotAction,
           .step = transition.step,
           .layout = transition.layout,
           .collector = transition.collector,
           .endsEpisode = transition.endsEpisode,
           .humanActions = transition.humanActions,
           .goals = transition.goals,
           .goalWeights = transition.goalWeights};
    ++m_size;
    ++m_added;
    link(slot);
    return slot;
}

ModelStore::Added ReplayBuffer::held(const Transition& transition) {
    if (transition.modelFingerprint != Fingerprint{}) {
        const ModelStore::Index equal =
            m_models.holdEqual(transition.modelFingerprint, transition.layout);
        if (equal != ModelStore::kNone) {
            if (transition.reached < m_models.at(equal).successors().size()) return {equal, false};
            m_models.release(equal);  // and the rest says what is wrong
        }
    }
    requireFits(transition);
    return m_models.add(*transition.model, transition.layout);
}

void ReplayBuffer::makePlaceFor(Slot slot) {
    while (slot / kChunk >= m_rows.size())
        m_rows.push_back(
            {std::shared_ptr<StoredTransition[]>(new StoredTransition[kChunk]), m_generation});
    const std::size_t places = std::min(m_rows.size() * kChunk, m_capacity);
    m_next.resize(places, kNone);
    m_drawnIn.resize(places, 0);
}

void ReplayBuffer::link(Slot slot) {
    m_next[slot] = kNone;
    const StoredTransition& row = at(slot);
    LastStep& last = m_lastOf[row.collector];
    const std::int64_t oldest = m_added - static_cast<std::int64_t>(m_size);
    if (last.slot != kNone && last.number >= oldest) {
        const StoredTransition& before = at(last.slot);
        if (before.episode == row.episode && before.step + 1 == row.step) m_next[last.slot] = slot;
    }
    last = {.slot = slot, .number = m_added - 1};
}

void ReplayBuffer::clear() {
    for (std::size_t i = 0; i < m_size; ++i) m_models.release(at(slotOfAge(i)).model);
    m_evicted += static_cast<std::int64_t>(m_size);
    m_first = m_size = 0;
    m_lastOf.clear();
}

std::size_t ReplayBuffer::numSince(std::int64_t oldest) const {
    std::size_t low = 0, high = m_size;  // ages: [0, low) are older
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (at(slotOfAge(middle)).insertedAt < oldest)
            low = middle + 1;
        else
            high = middle;
    }
    return m_size - low;
}

void ReplayBuffer::sample(std::size_t count, std::int64_t oldest, Rng& rng,
                          std::vector<Slot>& out) {
    out.clear();
    const std::size_t eligible = numSince(oldest);
    const std::size_t drawn = std::min(count, eligible);
    const std::size_t begin = m_size - eligible;
    if (++m_draw == 0) {
        std::ranges::fill(m_drawnIn, 0U);
        m_draw = 1;
    }
    // Floyd's way to a uniform set: one number each, no repetition.
    for (std::size_t i = eligible - drawn; i < eligible; ++i) {
        Slot slot = slotOfAge(begin + static_cast<std::size_t>(rng.below(i + 1)));
        if (m_drawnIn[slot] == m_draw) slot = slotOfAge(begin + i);
        m_drawnIn[slot] = m_draw;
        out.push_back(slot);
    }
    m_sampled += static_cast<std::int64_t>(drawn);
}

std::size_t ReplayBuffer::allocatedBytes() const {
    return m_states.allocatedBytes() + m_models.allocatedBytes() +
           m_rows.size() * kChunk * sizeof(StoredTransition) +
           (m_next.capacity() + m_drawnIn.capacity()) * sizeof(Slot);
}

ReplayStatistics ReplayBuffer::statistics() const {
    ReplayStatistics s;
    s.size = static_cast<std::int64_t>(m_size);
    s.capacity = static_cast<std::int64_t>(m_capacity);
    s.added = m_added;
    s.evicted = m_evicted;
    s.sampled = m_sampled;
    s.shared = m_shared;
    s.states = static_cast<std::int64_t>(m_states.size());
    s.models = static_cast<std::int64_t>(m_models.size());
    s.stateBytes = static_cast<std::int64_t>(m_states.allocatedBytes());
    s.modelBytes = static_cast<std::int64_t>(m_models.allocatedBytes());
    s.rowBytes = static_cast<std::int64_t>(allocatedBytes()) - s.stateBytes - s.modelBytes;
    if (m_size == 0) return s;
    s.oldestStep = at(slotOfAge(0)).insertedAt;
    s.newestStep = at(slotOfAge(m_size - 1)).insertedAt;
    const double width = static_cast<double>(s.newestStep - s.oldestStep) / s.kAgeBins;
    std::int64_t left = s.size;
    for (int bin = 1; bin <= s.kAgeBins; ++bin) {
        const auto end = s.oldestStep + static_cast<std::int64_t>(std::ceil(bin * width));
        const auto after =
            bin == s.kAgeBins ? std::int64_t{0} : static_cast<std::int64_t>(numSince(end));
        s.byAge.push_back(left - after);
        left = after;
    }
    return s;
}

std::shared_ptr<const ReplaySnapshot> ReplayBuffer::snapshot() {
    return std::make_shared<const ReplaySnapshot>(*this);
}

ReplaySnapshot::ReplaySnapshot(ReplayBuffer& buffer)
    : m_shape(buffer.m_shape),
      m_capacity(buffer.m_capacity),
      m_first(buffer.m_first),
      m_size(buffer.m_size),
      m_stateBytes(buffer.m_shape.bytes()),
      m_models(buffer.m_models.freeze()),
      m_states(buffer.m_states.freeze()),
      m_statistics(buffer.statistics()) {
    ++buffer.m_generation;
    m_rows.reserve(buffer.m_rows.size());
    for (const ReplayBuffer::Chunk& chunk : buffer.m_rows) m_rows.emplace_back(chunk.items);
}

}  // namespace orrery
