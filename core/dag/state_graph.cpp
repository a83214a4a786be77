#include "core/dag/state_graph.h"

#include <algorithm>
#include <bit>

#include "core/base/sha256.h"
#include "core/dag/state_graph_storage.h"

namespace orrery {

StateGraph::StateGraph() : m_storage(std::make_unique<Storage>()) {}
StateGraph::~StateGraph() = default;

const World& StateGraph::world() const {
    return *m_storage->world;
}
std::shared_ptr<const World> StateGraph::worldPointer() const {
    return m_storage->world;
}
bool StateGraph::isFolded() const {
    return m_storage->folded;
}
ConfigIndex StateGraph::numConfigs() const {
    return m_storage->numConfigs();
}
int StateGraph::numLevels() const {
    return m_storage->numLevels();
}
ActionProfileIndex StateGraph::numProfiles() const {
    return m_storage->profiles;
}

ConfigIndex StateGraph::levelBegin(int step) const {
    return m_storage->folded || step == 0 ? 0 : m_storage->layerEnd[step - 1];
}

ConfigIndex StateGraph::levelEnd(int step) const {
    return m_storage->layerEnd[step];
}

bool StateGraph::levelIsRange(int step) const {
    return m_storage->isRange[step] != 0;
}

bool StateGraph::inLevel(int step, ConfigIndex config) const {
    if (step < 0 || step >= numLevels() || config < levelBegin(step) || config >= levelEnd(step))
        return false;
    if (levelIsRange(step)) return true;
    const std::uint32_t bit = config - levelBegin(step);
    return (m_storage->member[step][bit / 64] >> (bit % 64) & 1U) != 0;
}

std::int64_t StateGraph::levelSize(int step) const {
    if (levelIsRange(step)) return levelEnd(step) - levelBegin(step);
    std::int64_t size = 0;
    for (const std::uint64_t word : m_storage->member[step]) size += std::popcount(word);
    return size;
}

ConfigIndex StateGraph::levelMember(int step, std::int64_t k) const {
    if (levelIsRange(step)) return levelBegin(step) + static_cast<ConfigIndex>(k);
    const std::vector<std::uint64_t>& member = m_storage->member[step];
    for (std::size_t w = 0; w < member.size(); ++w) {
        const int here = std::popcount(member[w]);
        if (k >= here) {
            k -= here;
            continue;
        }
        std::uint64_t word = member[w];
        for (; k > 0; --k) word &= word - 1;
        return levelBegin(step) + static_cast<ConfigIndex>(w * 64 + std::countr_zero(word));
    }
    return levelEnd(step);
}

int StateGraph::firstStep(ConfigIndex config) const {
    const auto at = std::ranges::upper_bound(m_storage->layerEnd, config);
    return static_cast<int>(at - m_storage->layerEnd.begin());
}

std::span<const std::uint64_t> StateGraph::configuration(ConfigIndex config) const {
    return {m_storage->key.data() + static_cast<std::size_t>(config) * m_storage->keyWords,
            static_cast<std::size_t>(m_storage->words)};
}

std::optional<ConfigIndex> StateGraph::find(std::span<const std::uint64_t> configuration,
                                            int step) const {
    const Storage& s = *m_storage;
    if (static_cast<int>(configuration.size()) != s.words || s.slot.empty()) return std::nullopt;
    std::vector<std::uint64_t> key(configuration.begin(), configuration.end());
    const auto look = [&]() -> std::optional<ConfigIndex> {
        const std::size_t mask = s.slot.size() - 1;
        for (std::size_t at = hashKey(key.data(), s.keyWords) & mask;; at = (at + 1) & mask) {
            const std::uint32_t index = s.slot[at];
            if (index == kNoIndex) return std::nullopt;
            if (std::equal(key.begin(), key.end(),
                           s.key.data() + static_cast<std::size_t>(index) * s.keyWords))
                return index;
        }
    };
    if (s.folded) return look();
    // Unrolled, the step is part of the key: without a step given, each is tried.
    key.push_back(0);
    for (int t = std::max(0, step); t < (step < 0 ? numLevels() : step + 1); ++t) {
        key.back() = static_cast<std::uint64_t>(t);
        if (const auto found = look()) return found;
    }
    return std::nullopt;
}

bool StateGraph::isExpanded(ConfigIndex config) const {
    return config < m_storage->numExpanded();
}

ConfigRows StateGraph::rows(ConfigIndex config) const {
    ConfigRows rows;
    if (!isExpanded(config)) return rows;
    const Storage& s = *m_storage;
    rows.successor = s.successor.data() + s.rowBegin[config];
    rows.numEntries = static_cast<std::uint32_t>(s.rowBegin[config + 1] - s.rowBegin[config]);
    if (const std::uint32_t chance = s.stochastic[config]; chance != kNoIndex) {
        rows.count = s.count.data() + static_cast<std::size_t>(chance) * s.profiles;
        rows.probability = s.probability.data() + s.chanceBegin[chance];
    }
    return rows;
}

std::span<const double> StateGraph::palette() const {
    return m_storage->palette;
}

std::vector<GraphOutcome> StateGraph::outcomes(ConfigIndex config,
                                               ActionProfileIndex profile) const {
    std::vector<GraphOutcome> list;
    if (!isExpanded(config) || profile >= numProfiles()) return list;
    const ConfigRows row = rows(config);
    if (row.count == nullptr) return {{1.0, row.successor[profile]}};
    // Where rows begin is not stored: this is for single questions, and solvers walk all rows.
    std::size_t entry = 0;
    for (ActionProfileIndex p = 0; p < profile; ++p) entry += row.count[p];
    for (std::uint16_t k = 0; k < row.count[profile]; ++k)
        list.push_back({m_storage->palette[row.probability[entry + k]], row.successor[entry + k]});
    return list;
}

std::int64_t StateGraph::numEntries() const {
    return static_cast<std::int64_t>(m_storage->successor.size());
}

std::int64_t StateGraph::storedBytes() const {
    return m_storage->bytes();
}

GraphCounts StateGraph::counts() const {
    const Storage& s = *m_storage;
    GraphCounts counts;
    for (int t = 0; t < numLevels(); ++t) {
        const std::int64_t size = levelSize(t);
        counts.states += size;
        if (t + 1 == numLevels()) break;
        counts.actionRows += size * s.profiles;
        if (levelIsRange(t)) {
            counts.transitionEntries +=
                static_cast<std::int64_t>(s.rowBegin[levelEnd(t)] - s.rowBegin[levelBegin(t)]);
        } else {
            for (ConfigIndex c = levelBegin(t); c < levelEnd(t); ++c)
                if (inLevel(t, c))
                    counts.transitionEntries +=
                        static_cast<std::int64_t>(s.rowBegin[c + 1] - s.rowBegin[c]);
        }
    }
    return counts;
}

std::string StateGraph::contentHash() const {
    return graphContentHash(world(), isFolded());
}

std::string graphContentHash(const World& world, bool folded) {
    return sha256Hex("orrery-graph/1\n" + world.contentHash() +
                     (folded ? "\nfolded" : "\nunrolled"));
}

std::int64_t StateGraph::Storage::bytes() const {
    std::int64_t total = key.bytes() + rowBegin.bytes() + stochastic.bytes() + chanceBegin.bytes() +
                         successor.bytes() + count.bytes() + probability.bytes() + slot.bytes();
    total += static_cast<std::int64_t>(palette.size() * sizeof(double));
    for (const auto& level : member)
        total += static_cast<std::int64_t>(level.size() * sizeof(std::uint64_t));
    return total;
}

bool StateGraph::Storage::buildSlots(const std::stop_token& stop) {
    const ConfigIndex configs = numConfigs();
    const std::size_t size = std::bit_ceil(std::max<std::size_t>(16, std::size_t{configs} * 3 / 2));
    slot.resize(size);
    std::fill_n(slot.data(), size, kNoIndex);
    // A slot anywhere in a large table is a cache miss. They are asked for ahead, so that some are
    // under way at once.
    constexpr ConfigIndex kAhead = 16;
    for (ConfigIndex c = 0; c < configs; ++c) {
        if (c % 65536 == 0 && stop.stop_requested()) return false;
        if (c + kAhead < configs)
            __builtin_prefetch(
                &slot[hashKey(&key[std::size_t{c + kAhead} * keyWords], keyWords) & (size - 1)], 1);
        std::size_t at = hashKey(&key[std::size_t{c} * keyWords], keyWords) & (size - 1);
        while (slot[at] != kNoIndex) at = (at + 1) & (size - 1);
        slot[at] = c;
    }
    return true;
}

}  // namespace orrery
