#include <algorithm>
#include <string>

#include "core/base/crc32c.h"
#include "core/base/error.h"
#include "core/replay/replay_buffer.h"

namespace orrery {

namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kMostCapacity = std::uint64_t{1} << 31;

}  // namespace

/// The ring of slots as it was saved.
struct ReplayBuffer::SavedRing {
    std::uint64_t capacity = 0, first = 0, size = 0;
    std::size_t numLeftOut = 0;  ///< of its oldest transitions, which there is no room for
};

/// Where a transition is that lay in slot `saved`; kNone if it was left out.
ReplayBuffer::Slot ReplayBuffer::slotNow(const SavedRing& ring, Slot saved) const {
    if (ring.capacity == m_capacity || saved >= ring.capacity) return saved;
    const std::uint64_t age =
        saved >= ring.first ? saved - ring.first : saved + ring.capacity - ring.first;
    return age < ring.numLeftOut ? kNone : slotOfAge(age - ring.numLeftOut);
}

void ReplayBuffer::save(const RecordSink& sink) const {
    std::uint32_t crc = 0;
    const RecordSink counted = [&](std::span<const std::byte> record) {
        crc = crc32c(record, crc);
        sink(record);
    };
    ByteWriter out;
    out.put(kVersion);
    for (const int size : {m_shape.width, m_shape.height, m_shape.numAgents}) out.put(size);
    for (const std::size_t number : {m_capacity, m_first, m_size}) out.put(std::uint64_t{number});
    for (const std::int64_t number : {m_added, m_evicted, m_sampled, m_shared}) out.put(number);
    std::vector<std::pair<std::uint16_t, LastStep>> last(m_lastOf.begin(), m_lastOf.end());
    std::ranges::sort(last, {}, [](const auto& item) { return item.first; });
    out.put(std::uint64_t{last.size()});
    for (const auto& [collector, step] : last) {
        out.put(collector);
        out.put(step.slot);
        out.put(step.number);
    }
    counted(out.bytes());
    m_states.save(counted);
    m_models.save(counted);
    out.clear();
    for (std::size_t i = 0; i < m_size; ++i) {
        const Slot slot = slotOfAge(i);
        const StoredTransition& row = at(slot);
        out.put(row.episode);
        out.put(row.insertedAt);
        out.put(row.model);
        out.put(row.reached);
        out.put(row.robotAction);
        out.put(row.step);
        out.put(row.layout);
        out.put(row.collector);
        out.put(static_cast<std::uint8_t>(row.endsEpisode));
        out.put(row.humanActions);
        out.put(row.goals);
        out.put(row.goalWeights);
        out.put(m_next[slot]);
        if (out.bytes().size() < kRecordBytes) continue;
        counted(out.bytes());
        out.clear();
    }
    if (!out.bytes().empty()) counted(out.bytes());
    out.clear();
    out.put(crc);
    sink(out.bytes());
}

void ReplayBuffer::load(const RecordSource& source) {
    const auto forgetAll = [this] {
        m_models.clear();
        m_states.clear();
        m_rows.clear();
        m_next.clear();
        m_drawnIn.clear();
        m_lastOf.clear();
        m_first = m_size = 0;
        m_added = m_evicted = m_sampled = m_shared = 0;
    };
    forgetAll();
    try {
        loadParts(source);
    } catch (...) {
        forgetAll();
        throw;
    }
}

ReplayBuffer::SavedRing ReplayBuffer::loadHead(ByteReader head) {
    if (const auto version = head.get<std::uint32_t>(); version != kVersion)
        throw Error("The saved replay buffer is of version " + std::to_string(version) +
                        "; this program reads version 1. Take a newer program.",
                    Error::Kind::Damaged);
    EncodingShape shape;
    for (int* size : {&shape.width, &shape.height, &shape.numAgents}) *size = head.get<int>();
    if (shape != m_shape)
        throw Error("The saved replay buffer is of states of " + std::to_string(shape.width) +
                        " x " + std::to_string(shape.height) + " cells and " +
                        std::to_string(shape.numAgents) +
                        " agents; resume with the worlds that it was made with.",
                    Error::Kind::BadInput);
    SavedRing ring;
    for (std::uint64_t* number : {&ring.capacity, &ring.first, &ring.size})
        *number = head.get<std::uint64_t>();
    head.require(ring.first < ring.capacity && ring.size <= ring.capacity &&
                     ring.capacity <= kMostCapacity &&
                     (ring.first == 0 || ring.size == ring.capacity),
                 "its ring is wrong");
    for (std::int64_t* number : {&m_added, &m_evicted, &m_sampled, &m_shared})
        *number = head.get<std::int64_t>();
    head.require(m_evicted >= 0 && m_added - m_evicted == static_cast<std::int64_t>(ring.size),
                 "its counts do not agree");
    m_first = ring.capacity == m_capacity ? ring.first : 0;
    m_size = std::min<std::size_t>(ring.size, m_capacity);
    ring.numLeftOut = ring.size - m_size;
    m_evicted += static_cast<std::int64_t>(ring.numLeftOut);
    const auto numLast = head.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < numLast; ++i) {
        const auto collector = head.get<std::uint16_t>();
        LastStep last;
        last.slot = head.get<Slot>();
        last.number = head.get<std::int64_t>();
        head.require(last.number < m_added && (last.slot < ring.size || last.number < m_evicted),
                     "a last step is wrong");
        last.slot = slotNow(ring, last.slot);
        m_lastOf[collector] = last;
    }
    head.requireEnd();
    return ring;
}

void ReplayBuffer::loadParts(const RecordSource& source) {
    std::uint32_t crc = 0;
    const RecordSource counted = [&](std::span<const std::byte>& record) {
        if (!source(record)) return false;
        crc = crc32c(record, crc);
        return true;
    };
    const SavedRing ring = loadHead(nextRecord(counted, "replay buffer"));
    m_states.load(counted);
    m_models.load(counted);
    const std::vector<ModelStore::Index> leftOut = loadRows(counted, ring);
    const std::uint32_t computed = crc;
    ByteReader tail = nextRecord(source, "replay buffer");
    tail.require(tail.get<std::uint32_t>() == computed, "its checksum is wrong");
    tail.requireEnd();
    std::span<const std::byte> more;
    tail.require(!source(more), "there is more than there should be");
    const std::vector<bool> models = m_models.takenPlaces(), states = m_states.takenPlaces();
    for (ModelStore::Index i = 0; i < models.size(); ++i)
        tail.require(!models[i] || m_models.numHolders(i) > 0, "a model belongs to nothing");
    for (StateStore::Index i = 0; i < states.size(); ++i)
        tail.require(!states[i] || m_states.numHolders(i) > 0, "a state belongs to nothing");
    for (const ModelStore::Index model : leftOut) m_models.release(model);
}

std::vector<ModelStore::Index> ReplayBuffer::loadRows(const RecordSource& source,
                                                      const SavedRing& ring) {
    const std::vector<bool> models = m_models.takenPlaces();
    std::vector<ModelStore::Index> leftOut;
    ByteReader in({}, "replay buffer");
    std::int64_t insertedAt = INT64_MIN;
    for (std::size_t i = 0; i < ring.size; ++i) {
        if (in.left() == 0) in = nextRecord(source, "replay buffer");
        StoredTransition row;
        row.episode = in.get<std::int64_t>();
        row.insertedAt = in.get<std::int64_t>();
        row.model = in.get<std::uint32_t>();
        row.reached = in.get<std::uint32_t>();
        row.robotAction = in.get<std::int32_t>();
        row.step = in.get<std::int32_t>();
        row.layout = in.get<std::uint16_t>();
        row.collector = in.get<std::uint16_t>();
        row.endsEpisode = in.get<std::uint8_t>() != 0;
        row.humanActions = in.get<decltype(row.humanActions)>();
        row.goals = in.get<decltype(row.goals)>();
        row.goalWeights = in.get<decltype(row.goalWeights)>();
        const auto next = in.get<Slot>();
        in.require(row.model < models.size() && models[row.model], "a model is not there");
        in.require(row.reached < model(row.model).successors().size() && row.robotAction >= 0 &&
                       row.layout == model(row.model).layout && row.insertedAt >= insertedAt &&
                       (next == kNone || next < ring.size),
                   "a transition is wrong");
        insertedAt = row.insertedAt;
        m_models.hold(row.model);
        if (i < ring.numLeftOut) {
            leftOut.push_back(row.model);
            continue;
        }
        const Slot slot = slotOfAge(i - ring.numLeftOut);
        makePlaceFor(slot);
        writable(slot) = row;
        m_next[slot] = slotNow(ring, next);
    }
    in.requireEnd();
    return leftOut;
}

}  // namespace orrery
