#include "core/replay/stored_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>

namespace orrery {

namespace {

template <typename T>
std::uint32_t* copied(std::uint32_t* to, std::span<const T> from) {
    static_assert(sizeof(T) == sizeof(std::uint32_t));
    if (!from.empty()) std::memcpy(to, from.data(), from.size_bytes());
    return to + from.size();
}

/// A model's own fingerprint with the layout in it.
Fingerprint keyOf(Fingerprint key, std::uint16_t layout) {
    key.high ^= std::uint64_t{layout} * 0x9e3779b97f4a7c15;
    return key;
}

}  // namespace

ModelStore::Index ModelStore::holdEqual(const Fingerprint& fingerprint, std::uint16_t layout) {
    const auto at = m_byKey.find(keyOf(fingerprint, layout));
    if (at == m_byKey.end()) return kNone;
    hold(at->second);
    return at->second;
}

ModelStore::Added ModelStore::add(const StepModel& model, std::uint16_t layout) {
    const Fingerprint print =
        model.fingerprint == Fingerprint{} ? fingerprintOf(model) : model.fingerprint;
    if (const Index equal = holdEqual(print, layout); equal != kNone) return {equal, false};
    const Fingerprint key = keyOf(print, layout);
    StoredModel stored;
    stored.state = m_states.add(model.state);
    stored.profile = model.profile;
    stored.layout = layout;
    stored.endsWorld = model.endsWorld;
    stored.m_successors = static_cast<std::uint32_t>(model.numSuccessors());
    stored.m_rows = static_cast<std::uint32_t>(model.rowBegin.size() - 1);
    stored.m_entries = static_cast<std::uint32_t>(model.probability.size());
    stored.m_durations = static_cast<std::uint32_t>(model.duration.size());
    stored.m_priors = static_cast<std::uint32_t>(model.prior.size());
    stored.m_holders = 1;
    stored.m_key = key;
    const std::shared_ptr<std::uint32_t[]> words(new std::uint32_t[stored.numWords()]);
    std::uint32_t* to = words.get();
    for (std::size_t i = 0; i < stored.m_successors; ++i)
        *to++ = m_states.add(model.successorBytes(i));
    to = copied(to, std::span(model.rowBegin));
    to = copied(to, std::span(model.successor));
    to = copied(to, std::span(model.probability));
    to = copied(to, std::span(model.duration));
    to = copied(to, std::span(model.prior));
    assert(to == words.get() + stored.numWords());
    stored.m_words = words;
    m_wordBytes += stored.numWords() * sizeof(std::uint32_t);
    const Index index = newPlace();
    writable(index) = std::move(stored);
    m_byKey.emplace(key, index);
    return {index, true};
}

void ModelStore::release(Index index) {
    StoredModel& model = writable(index);
    if (--model.m_holders != 0) return;
    for (const StateStore::Index successor : model.successors()) m_states.release(successor);
    m_states.release(model.state);
    m_wordBytes -= model.numWords() * sizeof(std::uint32_t);
    m_byKey.erase(model.m_key);
    model = StoredModel();
    model.m_holders = m_free;
    m_free = index;
}

void ModelStore::clear() {
    m_chunks.clear();
    m_byKey.clear();
    m_numPlaces = 0;
    m_free = kNone;
    m_wordBytes = 0;
}

ModelStore::Index ModelStore::newPlace() {
    if (m_free != kNone) return std::exchange(m_free, at(m_free).m_holders);
    if (m_numPlaces % kChunk == 0) addChunk();
    return static_cast<Index>(m_numPlaces++);
}

void ModelStore::addChunk() {
    m_chunks.push_back({std::shared_ptr<StoredModel[]>(new StoredModel[kChunk]), m_generation});
}

StoredModel& ModelStore::writable(Index index) {
    Chunk& chunk = m_chunks[index / kChunk];
    if (chunk.generation != m_generation) {  // somebody may be reading the old ones
        std::shared_ptr<StoredModel[]> copy(new StoredModel[kChunk]);
        std::copy_n(chunk.items.get(), kChunk, copy.get());
        chunk = {std::move(copy), m_generation};
    }
    return chunk.items[index % kChunk];
}

ModelStore::Frozen ModelStore::freeze() {
    ++m_generation;
    Frozen frozen;
    frozen.reserve(m_chunks.size());
    for (const Chunk& chunk : m_chunks) frozen.emplace_back(chunk.items);
    return frozen;
}

std::size_t ModelStore::allocatedBytes() const {
    // A word block has a control block before it; a node of the map a pointer and the pair.
    constexpr std::size_t kControlBlock = 32, kNode = 8 + sizeof(Fingerprint) + 8;
    return m_chunks.size() * kChunk * sizeof(StoredModel) + m_wordBytes +
           m_byKey.size() * (kControlBlock + kNode) + m_byKey.bucket_count() * sizeof(void*);
}

std::vector<bool> ModelStore::takenPlaces() const {
    std::vector<bool> taken(m_numPlaces, true);
    for (Index free = m_free; free != kNone; free = at(free).m_holders) taken[free] = false;
    return taken;
}

void ModelStore::save(const RecordSink& sink) const {
    ByteWriter out;
    out.put(std::uint64_t{m_numPlaces});
    std::vector<Index> free;
    for (Index index = m_free; index != kNone; index = at(index).m_holders) free.push_back(index);
    out.putList(free);
    sink(out.bytes());
    out.clear();
    const std::vector<bool> taken = takenPlaces();
    for (Index index = 0; index < m_numPlaces; ++index) {
        if (!taken[index]) continue;
        const StoredModel& model = at(index);
        out.put(model.m_key);
        out.put(model.state);
        out.put(model.profile);
        out.put(model.layout);
        out.put(static_cast<std::uint8_t>(model.endsWorld));
        for (const std::uint32_t count :
             {model.m_successors, model.m_rows, model.m_entries, model.m_durations, model.m_priors})
            out.put(count);
        out.putAll(std::span(model.words(), model.numWords()));
        if (out.bytes().size() < kRecordBytes) continue;
        sink(out.bytes());
        out.clear();
    }
    if (!out.bytes().empty()) sink(out.bytes());
}

void ModelStore::load(const RecordSource& source) {
    clear();
    try {
        loadModels(source);
    } catch (...) {
        clear();
        throw;
    }
}

void ModelStore::loadModels(const RecordSource& source) {
    ByteReader head = nextRecord(source, "replay buffer");
    const auto numPlaces = head.get<std::uint64_t>();
    head.require(numPlaces < kNone, "it has too many models");
    const auto free = head.getList<Index>();
    head.requireEnd();
    std::unordered_map<Index, Index> next;
    for (std::size_t i = 0; i < free.size(); ++i)
        head.require(free[i] < numPlaces &&
                         next.emplace(free[i], i + 1 < free.size() ? free[i + 1] : kNone).second,
                     "its free places are wrong");
    const std::vector<bool> takenStates = m_states.takenPlaces();
    ByteReader record({}, "replay buffer");
    while (m_numPlaces < numPlaces) {
        if (m_numPlaces % kChunk == 0) addChunk();
        const auto index = static_cast<Index>(m_numPlaces);
        const auto isFree = next.find(index);
        if (isFree != next.end()) {
            writable(index).m_holders = isFree->second;
        } else {
            if (record.left() == 0) record = nextRecord(source, "replay buffer");
            StoredModel model = readModel(record, takenStates);
            record.require(m_byKey.emplace(model.m_key, index).second, "it has a model twice");
            m_states.hold(model.state);
            for (const StateStore::Index successor : model.successors()) m_states.hold(successor);
            m_wordBytes += model.numWords() * sizeof(std::uint32_t);
            writable(index) = std::move(model);
        }
        ++m_numPlaces;
    }
    record.requireEnd();
    m_free = free.empty() ? kNone : free.front();
}

StoredModel ModelStore::readModel(ByteReader& in, const std::vector<bool>& takenStates) {
    const auto isState = [&](StateStore::Index index) {
        return index < takenStates.size() && takenStates[index];
    };
    StoredModel model;
    model.m_key = in.get<Fingerprint>();
    model.state = in.get<StateStore::Index>();
    model.profile = in.get<std::int32_t>();
    model.layout = in.get<std::uint16_t>();
    model.endsWorld = in.get<std::uint8_t>() != 0;
    for (std::uint32_t* count : {&model.m_successors, &model.m_rows, &model.m_entries,
                                 &model.m_durations, &model.m_priors})
        *count = in.get<std::uint32_t>();
    in.require(model.numWords() <= in.left() / sizeof(std::uint32_t), "a model is cut off");
    const std::shared_ptr<std::uint32_t[]> words(new std::uint32_t[model.numWords()]);
    in.getAll(std::span(words.get(), model.numWords()));
    model.m_words = words;
    in.require(isState(model.state) && std::ranges::all_of(model.successors(), isState),
               "a model names a state that is not there");
    const auto begin = model.rowBegin();
    in.require(begin.front() == 0 && begin.back() == model.m_entries &&
                   std::ranges::is_sorted(begin) &&
                   (model.m_durations == 0 || model.m_durations == model.m_rows),
               "the rows of a model are wrong");
    in.require(std::ranges::all_of(model.successor(),
                                   [&](std::uint32_t k) { return k < model.m_successors; }),
               "a model names a successor that is not there");
    const auto isShare = [](float p) { return p >= 0.0F && p <= 1.0F; };
    in.require(std::ranges::all_of(model.probability(), isShare) &&
                   std::ranges::all_of(model.prior(), isShare) &&
                   std::ranges::all_of(model.duration(),
                                       [](float d) { return std::isfinite(d) && d > 0.0F; }),
               "a model's numbers are no probabilities");
    return model;
}

}  // namespace orrery
