#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/thread_team.h"
#include "core/dag/config_table.h"
#include "core/dag/explore_traced.h"
#include "core/dag/levels.h"
#include "core/dag/state_graph.h"
#include "core/dag/state_graph_storage.h"
#include "core/trace/work_trace.h"

namespace orrery {

namespace {

constexpr int kChunksPerBatch = 64;
constexpr std::size_t kChunkEntries = 16384;  ///< aimed at, for one outcome a row
/// Bytes that an entry takes from its thread until it is part of the graph, and configurations that
/// are expanded at once on large machines.
constexpr std::size_t kFreshBytes = 48, kAtOnce = 16;
/// What a batch may take in any case before it is part of the graph.
constexpr std::int64_t kLeastFresh = std::int64_t{64} << 20;

/// What one chunk of configurations expanded to, before the slots are turned into indices. On cache
/// lines of its own, because another thread works on the next one.
struct alignas(128) ChunkResult {
    std::vector<std::uint32_t> slots;        ///< [entries]
    std::vector<std::uint32_t> entries;      ///< [configs] entries each
    std::vector<std::uint8_t> isStochastic;  ///< [configs]
    std::vector<std::uint16_t> counts;       ///< [stochastic configs x profiles]
    std::vector<double> probabilities;       ///< of the stochastic configs' entries
    std::vector<std::uint32_t> palette;      ///< as probabilities, indices
    bool overflow = false;

    std::int64_t bytes() const {
        return static_cast<std::int64_t>(slots.size() * sizeof(slots[0]) +
                                         counts.size() * sizeof(counts[0]) +
                                         probabilities.size() * (sizeof(double) + sizeof(int)));
    }
};

/// What each thread keeps for itself, on cache lines of its own.
struct alignas(128) Worker {
    std::unique_ptr<Expander> expander;
    Expansion expansion;
    std::vector<std::uint64_t> withStep;
};

template <typename Table>
class Exploration {
public:
    Exploration(std::shared_ptr<const World> world, const ExploreOptions& options,
                std::stop_token stop, const ProgressSink& progress, WorkTrace* trace)
        : m_graph(std::make_shared<StateGraph>()),
          m_s(m_graph->storage()),
          m_stop(std::move(stop)),
          m_progress(progress),
          m_trace(trace),
          m_team(options.threads),
          m_table(world->keyWords() + (options.unrolled || world->dependsOnStep() ? 1 : 0),
                  m_team.size()) {
        m_s.folded = !options.unrolled && !world->dependsOnStep();
        m_s.words = world->keyWords();
        m_s.keyWords = m_s.words + (m_s.folded ? 0 : 1);
        m_s.profiles = world->numProfiles();
        m_maxConfigs = options.maxConfigs;
        m_budget = options.memoryBudget > 0 ? options.memoryBudget : availableMemory() / 10 * 7;
        for (int t = 0; t < m_team.size(); ++t) m_workers.push_back(std::make_unique<Worker>());
        m_s.world = std::move(world);
        for (auto& worker : m_workers) worker->expander = m_s.world->makeExpander();
        m_chunkConfigs = std::max<std::size_t>(1, kChunkEntries / m_s.profiles);
        // Millions of joint actions with hundreds of outcomes each need not even fit once.
        for (auto& worker : m_workers) {
            worker->expansion.stop = m_stop;
            worker->expansion.mostEntries =
                static_cast<std::size_t>(std::max(m_budget, kLeastFresh)) / (kFreshBytes * kAtOnce);
        }
        m_start = std::chrono::steady_clock::now();
        if (m_trace != nullptr) m_trace->setThreads(m_team.size());
    }

    std::shared_ptr<const StateGraph> run() {
        std::vector<std::uint64_t> root = m_s.world->initialConfiguration();
        root.resize(m_s.keyWords, 0);
        m_table.reserve(0, 1);
        m_table.insert(root.data(), 0);
        m_table.number(0, m_s.key, m_team);
        m_s.rowBegin.append(0);
        m_s.chanceBegin.append(0);
        m_s.layerEnd.push_back(1);
        ConfigIndex begin = 0;
        for (int step = 0; step < m_s.world->maxSteps(); ++step) {
            const ConfigIndex end = m_s.layerEnd.back();
            for (ConfigIndex at = begin; at < end;) {
                const auto room = static_cast<ConfigIndex>(m_chunkConfigs * kChunksPerBatch);
                const ConfigIndex batchEnd = end - at > room ? at + room : end;
                if (!expandBatch(at, batchEnd, step)) return nullptr;
                at = batchEnd;
            }
            begin = end;
            m_s.layerEnd.push_back(m_s.numConfigs());
        }
        const std::int64_t ordering = m_trace != nullptr ? m_trace->now() : 0;
        if (!m_s.buildSlots(m_stop) || !findLevels(m_s, m_team, m_stop)) return nullptr;
        if (m_trace != nullptr)
            m_trace->addUntilNow({.kind = WorkKind::kStore, .work = {.states = m_s.numConfigs()}},
                                 ordering);
        report(true);
        return m_graph;
    }

private:
    bool expandBatch(ConfigIndex begin, ConfigIndex end, int step) {
        const auto chunks =
            static_cast<std::size_t>((end - begin + m_chunkConfigs - 1) / m_chunkConfigs);
        if (m_chunks.size() < chunks) m_chunks.resize(chunks);
        for (;;) {
            if (m_stop.stop_requested()) return false;
            // A guess; a batch that finds more is taken back and tried with more room.
            m_table.reserve(m_s.numConfigs(), std::size_t{end - begin} * 8);
            watchMemory(step);
            m_freshLeft = std::max(m_budget - m_s.bytes() - m_table.bytes(), kLeastFresh);
            const bool whole = m_team.forChunks(
                0, static_cast<std::int64_t>(chunks), 1, m_stop,
                [&](std::int64_t chunk, std::int64_t, int thread) {
                    const auto from = begin + static_cast<ConfigIndex>(
                                                  static_cast<std::size_t>(chunk) * m_chunkConfigs);
                    const auto to =
                        std::min<ConfigIndex>(end, from + static_cast<ConfigIndex>(m_chunkConfigs));
                    expandChunk(m_chunks[chunk], from, to, step, thread);
                });
            if (m_freshLeft < 0) throw tooManyOutcomes(end - begin, step);
            if (!whole || m_stop.stop_requested()) return false;
            const bool overflow = std::any_of(m_chunks.begin(), m_chunks.begin() + chunks,
                                              [](const ChunkResult& c) { return c.overflow; });
            if (!overflow) break;
            m_table.forgetFresh();
        }
        m_table.number(m_s.numConfigs(), m_s.key, m_team);
        if (m_s.key.size() / m_s.keyWords >= kNoIndex)
            throw Error("The world has more than 4 billion configurations; use a smaller one",
                        Error::Kind::Resource);
        if (m_maxConfigs > 0 && m_s.numConfigs() > m_maxConfigs) return false;
        store(chunks, step);
        report(false);
        return true;
    }

    void expandChunk(ChunkResult& out, ConfigIndex from, ConfigIndex to, int step, int thread) {
        Worker& worker = *m_workers[thread];
        const std::int64_t begin = m_trace != nullptr ? m_trace->now() : 0;
        out.slots.clear();
        out.entries.clear();
        out.isStochastic.clear();
        out.counts.clear();
        out.probabilities.clear();
        out.overflow = false;
        if (m_freshLeft < 0) return;
        for (ConfigIndex c = from; c < to && !out.overflow; ++c) {
            Expansion& x = worker.expansion;
            if (!worker.expander->expand(m_graph->configuration(c), step, x)) {
                if (!m_stop.stop_requested()) m_freshLeft = -1;
                return;
            }
            const std::uint64_t* keys = keysWithStep(worker, step + 1);
            const std::size_t n = x.probability.size();
            const std::size_t first = out.slots.size();
            out.slots.resize(first + n);
            for (std::size_t e = 0; e < n; ++e) m_table.prefetch(keys + e * m_s.keyWords);
            for (std::size_t e = 0; e < n; ++e) {
                const std::uint32_t slot = m_table.insert(keys + e * m_s.keyWords, thread);
                out.overflow = out.overflow || slot == kNoIndex;
                out.slots[first + e] = slot;
            }
            out.entries.push_back(static_cast<std::uint32_t>(n));
            out.isStochastic.push_back(x.deterministic ? 0 : 1);
            if (!x.deterministic) {
                out.counts.insert(out.counts.end(), x.count.begin(), x.count.end());
                out.probabilities.insert(out.probabilities.end(), x.probability.begin(),
                                         x.probability.end());
            }
        }
        m_freshLeft -= out.bytes();
        if (m_trace != nullptr)
            m_trace->addUntilNow({.kind = WorkKind::kExplore,
                                  .thread = thread,
                                  .work = {.level = step,
                                           .states = std::ssize(out.entries),
                                           .entries = std::ssize(out.slots)}},
                                 begin);
    }

    const std::uint64_t* keysWithStep(Worker& worker, int step) {
        if (m_s.folded) return worker.expansion.key.data();
        const std::size_t n = worker.expansion.probability.size();
        worker.withStep.resize(n * m_s.keyWords);
        for (std::size_t e = 0; e < n; ++e) {
            std::copy_n(&worker.expansion.key[e * m_s.words], m_s.words,
                        &worker.withStep[e * m_s.keyWords]);
            worker.withStep[e * m_s.keyWords + m_s.words] = static_cast<std::uint64_t>(step);
        }
        return worker.withStep.data();
    }

    /// Appends the chunks' results to the graph, slots turned into indices.
    void store(std::size_t chunks, int step) {
        std::vector<std::uint64_t> entryBegin(chunks + 1, m_s.successor.size());
        std::vector<std::uint64_t> chanceBegin(chunks + 1, m_s.probability.size());
        std::vector<std::uint64_t> countBegin(chunks + 1, m_s.count.size());
        for (std::size_t k = 0; k < chunks; ++k) {
            ChunkResult& chunk = m_chunks[k];
            entryBegin[k + 1] = entryBegin[k] + chunk.slots.size();
            chanceBegin[k + 1] = chanceBegin[k] + chunk.probabilities.size();
            countBegin[k + 1] = countBegin[k] + chunk.counts.size();
            appendOffsets(chunk);
        }
        m_s.successor.resize(entryBegin[chunks]);
        m_s.probability.resize(chanceBegin[chunks]);
        m_s.count.resize(countBegin[chunks]);
        m_team.forChunks(
            0, static_cast<std::int64_t>(chunks), 1, {},
            [&](std::int64_t k, std::int64_t, int thread) {
                const ChunkResult& chunk = m_chunks[k];
                const std::int64_t begin = m_trace != nullptr ? m_trace->now() : 0;
                translate(chunk.slots, &m_s.successor[entryBegin[k]]);
                std::ranges::copy(chunk.palette, m_s.probability.data() + chanceBegin[k]);
                std::ranges::copy(chunk.counts, m_s.count.data() + countBegin[k]);
                if (m_trace != nullptr)
                    m_trace->addUntilNow({.kind = WorkKind::kStore,
                                          .thread = thread,
                                          .work = {.level = step,
                                                   .states = std::ssize(chunk.entries),
                                                   .entries = std::ssize(chunk.slots)}},
                                         begin);
            });
    }

    void translate(const std::vector<std::uint32_t>& slots, ConfigIndex* out) const {
        constexpr std::size_t kAhead = 32;
        const std::size_t n = slots.size();
        for (std::size_t e = 0; e < n; ++e) {
            if (e + kAhead < n) m_table.prefetchIndex(slots[e + kAhead]);
            out[e] = m_table.indexOf(slots[e]);
        }
    }

    void appendOffsets(ChunkResult& chunk) {
        for (std::size_t c = 0; c < chunk.entries.size(); ++c) {
            m_s.rowBegin.append(m_s.rowBegin[m_s.rowBegin.size() - 1] + chunk.entries[c]);
            if (!chunk.isStochastic[c]) {
                m_s.stochastic.append(kNoIndex);
                continue;
            }
            m_s.stochastic.append(static_cast<std::uint32_t>(m_s.chanceBegin.size() - 1));
            m_s.chanceBegin.append(m_s.chanceBegin[m_s.chanceBegin.size() - 1] + chunk.entries[c]);
        }
        chunk.palette.resize(chunk.probabilities.size());
        for (std::size_t e = 0; e < chunk.probabilities.size(); ++e)
            chunk.palette[e] = paletteIndex(chunk.probabilities[e]);
    }

    std::uint32_t paletteIndex(double probability) {
        if (m_lastPalette < m_s.palette.size() && m_s.palette[m_lastPalette] == probability)
            return m_lastPalette;
        const auto [at, isNew] =
            m_paletteIndex.try_emplace(probability, static_cast<std::uint32_t>(m_s.palette.size()));
        if (isNew) m_s.palette.push_back(probability);
        m_lastPalette = at->second;
        return m_lastPalette;
    }

    void watchMemory(int step) const {
        const std::int64_t used = m_s.bytes() + m_table.bytes();
        if (used <= m_budget) return;
        const double expanded = std::max<double>(1.0, m_s.numExpanded());
        const double found = m_s.numConfigs();
        const auto estimate =
            static_cast<std::int64_t>(static_cast<double>(used) * found / expanded);
        throw Error("The state graph does not fit: " + std::to_string(m_s.numConfigs()) +
                        " configurations by step " + std::to_string(step) + " of " +
                        std::to_string(m_s.world->maxSteps()) + " use " + mebibytes(used) +
                        ", the budget is " + mebibytes(m_budget) +
                        ", and those found so far will need " + mebibytes(estimate) +
                        " or more. Raise --memory, lower max_steps or make the world smaller",
                    Error::Kind::Resource);
    }

    /// What a few configurations lead to alone is more than there is room for.
    Error tooManyOutcomes(ConfigIndex numConfigs, int step) const {
        return Error("The state graph does not fit: what " + std::to_string(numConfigs) +
                         " of its " + std::to_string(m_s.numConfigs()) +
                         " configurations lead to at step " + std::to_string(step) + " of " +
                         std::to_string(m_s.world->maxSteps()) + ", with " +
                         std::to_string(m_s.profiles) +
                         " joint actions each, does not fit into what is left of the budget of " +
                         mebibytes(m_budget) + ". Raise --memory, or have fewer agents or actions",
                     Error::Kind::Resource);
    }

    void report(bool last) {
        if (!m_progress) return;
        const auto now = std::chrono::steady_clock::now();
        if (!last && now - m_lastReport < std::chrono::milliseconds(33)) return;
        m_lastReport = now;
        Progress progress;
        progress.phase = "explore";
        progress.done = m_s.numExpanded();
        progress.total = last ? progress.done : 0;
        progress.unit = "configurations";
        progress.level = m_s.numLevels() - 1;
        progress.seconds = std::chrono::duration<double>(now - m_start).count();
        progress.ratePerSecond =
            progress.seconds > 0 ? static_cast<double>(progress.done) / progress.seconds : 0;
        progress.secondsLeft = last ? 0 : -1;
        m_progress(progress);
    }

    std::shared_ptr<StateGraph> m_graph;
    StateGraph::Storage& m_s;
    std::stop_token m_stop;
    const ProgressSink& m_progress;
    WorkTrace* m_trace;  // null: nobody asks
    ThreadTeam m_team;
    Table m_table;
    std::vector<std::unique_ptr<Worker>> m_workers;  // [threads]
    std::vector<ChunkResult> m_chunks;
    std::size_t m_chunkConfigs = 1;
    /// Bytes that the batch at work may still take. Below 0 in the end or not, whatever the order
    /// in which threads take from it: all is subtracted that a batch takes.
    std::atomic<std::int64_t> m_freshLeft = 0;
    std::int64_t m_budget = 0, m_maxConfigs = 0;
    std::map<double, std::uint32_t> m_paletteIndex;
    std::uint32_t m_lastPalette = 0;
    std::chrono::steady_clock::time_point m_start, m_lastReport;
};

std::shared_ptr<const StateGraph> exploreInto(std::shared_ptr<const World> world,
                                              const ExploreOptions& options, std::stop_token stop,
                                              const ProgressSink& progress, WorkTrace* trace) {
    if (const auto why = world->whyNotPlannable())
        throw Error("World \"" + world->name() + "\" " + *why +
                        ". Use fewer agents or smaller action sets.",
                    Error::Kind::BadInput);
    const bool unrolled = options.unrolled || world->dependsOnStep();
    if (!unrolled && world->keyBits() <= 63)
        return Exploration<NarrowTable>(std::move(world), options, std::move(stop), progress, trace)
            .run();
    return Exploration<WideTable>(std::move(world), options, std::move(stop), progress, trace)
        .run();
}

}  // namespace

std::shared_ptr<const StateGraph> explore(std::shared_ptr<const World> world,
                                          const ExploreOptions& options, std::stop_token stop,
                                          const ProgressSink& progress) {
    return exploreInto(std::move(world), options, std::move(stop), progress, nullptr);
}

std::shared_ptr<const StateGraph> exploreTraced(std::shared_ptr<const World> world,
                                                const ExploreOptions& options, WorkTrace& trace,
                                                std::stop_token stop,
                                                const ProgressSink& progress) {
    return exploreInto(std::move(world), options, std::move(stop), progress, &trace);
}

}  // namespace orrery
