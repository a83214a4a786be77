#include <algorithm>
#include <optional>

#include "core/base/thread_team.h"
#include "core/dag/predicate.h"

namespace orrery {

namespace {

/// Looks through the configurations in chunks. Counting first makes the place of every hit known,
/// so the threads fill one list in the order of the states.
class Search {
public:
    Search(const StateGraph& graph, const Predicate& predicate)
        : m_graph(graph),
          m_predicate(predicate),
          m_chunk(std::max<std::int64_t>(2048, (graph.numConfigs() + 8191) / 8192)),
          m_numChunks((graph.numConfigs() + m_chunk - 1) / m_chunk),
          m_count(static_cast<std::size_t>(m_numChunks) * graph.numLevels()) {}

    std::optional<StateSet> run(std::int64_t limit, int threads, const std::stop_token& stop) {
        ThreadTeam team(threads);
        const auto everyChunk = [&](auto&& body) {
            return team.forChunks(0, m_numChunks, 1, stop,
                                  [&](std::int64_t begin, std::int64_t end, int) {
                                      for (std::int64_t c = begin; c < end; ++c) body(c);
                                  }) &&
                   !stop.stop_requested();
        };
        if (!everyChunk([&](std::int64_t c) { countChunk(c, stop); })) return std::nullopt;
        StateSet found;
        for (std::int64_t& count : m_count) {
            const std::int64_t here = count;
            count = found.total;  // now the place of the first hit
            found.total += here;
        }
        found.states.resize(
            static_cast<std::size_t>(std::clamp<std::int64_t>(limit, 0, found.total)));
        if (!found.states.empty() &&
            !everyChunk([&](std::int64_t c) { fillChunk(c, found, stop); }))
            return std::nullopt;
        return found;
    }

private:
    std::int64_t& countOf(int step, std::int64_t chunk) {
        return m_count[static_cast<std::size_t>(step) * m_numChunks + chunk];
    }

    /// Calls hit(step, config) for each state of a chunk that fits, by configuration then step.
    template <class Hit>
    void visit(std::int64_t chunk, const std::stop_token& stop, Hit&& hit) const {
        const auto begin = static_cast<ConfigIndex>(chunk * m_chunk);
        const auto end = static_cast<ConfigIndex>(
            std::min<std::int64_t>((chunk + 1) * m_chunk, m_graph.numConfigs()));
        std::vector<int> steps;
        for (int step = 0; step < m_graph.numLevels(); ++step)
            if (m_graph.levelBegin(step) < end && m_graph.levelEnd(step) > begin)
                steps.push_back(step);
        std::vector<int> values(m_graph.world().variables().size());
        for (ConfigIndex config = begin; config < end; ++config) {
            if (config % 256 == 0 && stop.stop_requested()) return;
            m_graph.world().valuate(m_graph.configuration(config), values);
            for (const int step : steps)
                if (m_graph.inLevel(step, config) && m_predicate.holds(step, values))
                    hit(step, config);
        }
    }

    void countChunk(std::int64_t chunk, const std::stop_token& stop) {
        std::vector<std::int64_t> hits(static_cast<std::size_t>(m_graph.numLevels()));
        visit(chunk, stop, [&](int step, ConfigIndex) { ++hits[step]; });
        for (int step = 0; step < m_graph.numLevels(); ++step) countOf(step, chunk) = hits[step];
    }

    void fillChunk(std::int64_t chunk, StateSet& found, const std::stop_token& stop) {
        const std::int64_t room = std::ssize(found.states);
        if (countOf(0, chunk) >= room) return;  // hits of later steps lie further back
        std::vector<std::int64_t> next(static_cast<std::size_t>(m_graph.numLevels()));
        for (int step = 0; step < m_graph.numLevels(); ++step) next[step] = countOf(step, chunk);
        visit(chunk, stop, [&](int step, ConfigIndex config) {
            const std::int64_t place = next[step]++;
            if (place < room) found.states[place] = {step, config};
        });
    }

    const StateGraph& m_graph;
    const Predicate& m_predicate;
    std::int64_t m_chunk;  ///< configurations
    std::int64_t m_numChunks;
    std::vector<std::int64_t> m_count;  ///< [step x chunk] hits, then the place of the first one
};

}  // namespace

StateSet findStates(const StateGraph& graph, const Predicate& predicate, std::int64_t limit,
                    int threads, std::stop_token stop) {
    if (auto found = Search(graph, predicate).run(limit, std::max(1, threads), stop))
        return std::move(*found);
    return {{}, -1};
}

}  // namespace orrery
