#include "core/dag/neighbours.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/thread_team.h"
#include "core/dag/state_graph_storage.h"

namespace orrery {

namespace {

constexpr int kBlock = 1024;  ///< outcomes looked at in one go

std::vector<WeightedState> merged(int step, std::vector<GraphOutcome> outcomes) {
    std::ranges::sort(outcomes, {}, &GraphOutcome::successor);
    std::vector<WeightedState> edges;
    for (const GraphOutcome& outcome : outcomes) {
        if (edges.empty() || edges.back().state.config != outcome.successor)
            edges.push_back({{step + 1, outcome.successor}, 0.0});
        edges.back().probability += outcome.probability;
    }
    std::erase_if(edges, [](const WeightedState& edge) { return !(edge.probability > 0); });
    return edges;
}

bool isLast(const StateGraph& graph, State state) {
    return state.step + 1 >= graph.numLevels();
}

/// True if one of kBlock numbers is `target`; the fixed length lets the compiler use wide
/// registers.
bool blockHas(const ConfigIndex* numbers, ConfigIndex target) {
    std::uint32_t found = 0;
    for (int i = 0; i < kBlock; ++i) found |= static_cast<std::uint32_t>(numbers[i] == target);
    return found != 0;
}

/// Looks for targets among the stored outcomes, which lie one after the other for a whole level.
class Scan {
public:
    Scan(const StateGraph& graph, int step, std::span<const ConfigIndex> targets)
        : m_graph(graph),
          m_storage(graph.storage()),
          m_step(step),
          m_targets(targets),
          m_base(graph.levelBegin(step)) {
        if (targets.size() < 2) return;
        m_isTarget.assign((graph.levelEnd(step) - m_base + 63) / 64, 0);
        for (const ConfigIndex target : targets)
            m_isTarget[(target - m_base) / 64] |= std::uint64_t{1} << ((target - m_base) % 64);
    }

    /// Appends the members of the level before among configurations [from, to) that lead to a
    /// target.
    void collect(ConfigIndex from, ConfigIndex to, std::vector<ConfigIndex>& found) const {
        const std::uint64_t end = m_storage.rowBegin[to];
        ConfigIndex config = from;
        for (std::uint64_t entry = m_storage.rowBegin[from]; entry < end; ++entry) {
            entry = nextHit(entry, end);
            if (entry >= end) return;
            const std::uint64_t* begin = m_storage.rowBegin.data();
            config = static_cast<ConfigIndex>(
                std::upper_bound(begin + config, begin + to + 1, entry) - begin - 1);
            if (m_graph.inLevel(m_step - 1, config)) found.push_back(config);
            entry = m_storage.rowBegin[config + 1] - 1;
        }
    }

private:
    std::uint64_t nextHit(std::uint64_t entry, std::uint64_t end) const {
        const ConfigIndex* successor = m_storage.successor.data();
        if (!m_isTarget.empty()) {
            while (entry < end && !hasBit(successor[entry])) ++entry;
            return entry;
        }
        const ConfigIndex target = m_targets.front();
        while (entry + kBlock <= end && !blockHas(successor + entry, target)) entry += kBlock;
        while (entry < end && successor[entry] != target) ++entry;
        return entry;
    }
    bool hasBit(ConfigIndex config) const {
        const ConfigIndex bit = config - m_base;
        // Rows of configurations outside the level before may lead outside this level.
        return bit / 64 < m_isTarget.size() && (m_isTarget[bit / 64] >> (bit % 64) & 1U) != 0;
    }

    const StateGraph& m_graph;
    const StateGraph::Storage& m_storage;
    int m_step;
    std::span<const ConfigIndex> m_targets;
    ConfigIndex m_base;
    std::vector<std::uint64_t> m_isTarget;
};

/// Grows a neighbourhood hop by hop.
class Grower {
public:
    Grower(const StateGraph& graph, const NeighbourhoodSpec& spec, const EdgesOf& edges,
           const std::stop_token& stop)
        : m_graph(graph), m_spec(spec), m_edges(edges), m_stop(stop) {}

    std::optional<Neighbourhood> run(State centre) {
        m_known.insert(key(centre));
        for (const bool isForward : {true, false}) {
            std::vector<State> frontier{centre};
            const int hops = isForward ? m_spec.forward : m_spec.backward;
            for (int hop = 0; hop < hops && !frontier.empty(); ++hop) {
                auto fans = isForward ? forwardFans(frontier) : backwardFans(frontier);
                if (!fans) return std::nullopt;
                frontier = take(std::move(*fans));
            }
        }
        m_result.numStates = std::ssize(m_known);
        return std::move(m_result);
    }

private:
    static std::pair<int, ConfigIndex> key(State state) { return {state.step, state.config}; }

    std::optional<std::vector<Fan>> forwardFans(const std::vector<State>& frontier) {
        std::vector<Fan> fans;
        for (const State& state : frontier) {
            if (m_stop.stop_requested()) return std::nullopt;
            if (!isLast(m_graph, state)) fans.push_back({state, true, m_edges(state)});
        }
        return fans;
    }

    std::optional<std::vector<Fan>> backwardFans(const std::vector<State>& frontier) {
        const int step = frontier.front().step;
        if (step == 0) return std::vector<Fan>{};
        std::map<ConfigIndex, Fan> fans;
        std::vector<ConfigIndex> targets;
        for (const State& state : frontier) {
            fans.emplace(state.config, Fan{state, false});
            targets.push_back(state.config);
        }
        std::ranges::sort(targets);
        const auto before = predecessors(m_graph, step, targets, m_spec.threads, m_stop);
        if (!before) return std::nullopt;
        for (const ConfigIndex config : *before) {
            if (m_stop.stop_requested()) return std::nullopt;
            const State state{step - 1, config};
            for (const WeightedState& edge : m_edges(state))
                if (const auto fan = fans.find(edge.state.config); fan != fans.end())
                    fan->second.ends.push_back({state, edge.probability});
        }
        std::vector<Fan> list;
        list.reserve(frontier.size());
        for (const State& state : frontier) list.push_back(std::move(fans.at(state.config)));
        return list;
    }

    /// Cuts the fans to the limits, keeps them and gives back the new states among their ends.
    std::vector<State> take(std::vector<Fan> fans) {
        std::vector<State> fresh;
        for (Fan& fan : fans) {
            std::ranges::stable_sort(fan.ends, [](const WeightedState& a, const WeightedState& b) {
                return a.probability > b.probability;
            });
            const std::size_t most = fan.isForward ? m_spec.maxEnds : m_spec.maxOrigins;
            std::vector<WeightedState> kept;
            for (const WeightedState& end : fan.ends) {
                const bool isKnown = m_known.contains(key(end.state));
                const bool fits = isKnown || std::ssize(m_known) < m_spec.maxStates;
                m_result.isComplete = m_result.isComplete && fits;
                if (!fits || kept.size() >= most) {
                    ++fan.numLeftOut;
                    continue;
                }
                kept.push_back(end);
                if (m_known.insert(key(end.state)).second) fresh.push_back(end.state);
            }
            fan.ends = std::move(kept);
            m_result.fans.push_back(std::move(fan));
        }
        return fresh;
    }

    const StateGraph& m_graph;
    const NeighbourhoodSpec& m_spec;
    const EdgesOf& m_edges;
    const std::stop_token& m_stop;
    std::set<std::pair<int, ConfigIndex>> m_known;
    Neighbourhood m_result;
};

}  // namespace

EdgesOf edgesUnder(const StateGraph& graph, ActionProfileIndex profile) {
    return [&graph, profile](State state) -> std::vector<WeightedState> {
        if (isLast(graph, state)) return {};
        return merged(state.step, graph.outcomes(state.config, profile));
    };
}

EdgesOf edgesUnderAny(const StateGraph& graph) {
    return [&graph](State state) -> std::vector<WeightedState> {
        if (isLast(graph, state)) return {};
        const ConfigRows rows = graph.rows(state.config);
        const double share = 1.0 / graph.numProfiles();
        std::vector<GraphOutcome> all;
        std::uint32_t entry = 0;
        for (ActionProfileIndex p = 0; p < graph.numProfiles(); ++p) {
            const std::uint32_t count = rows.count ? rows.count[p] : 1;
            for (const std::uint32_t end = entry + count; entry < end; ++entry) {
                const double likelihood =
                    rows.probability ? graph.palette()[rows.probability[entry]] : 1.0;
                all.push_back({share * likelihood, rows.successor[entry]});
            }
        }
        return merged(state.step, std::move(all));
    };
}

std::optional<std::vector<ConfigIndex>> predecessors(const StateGraph& graph, int step,
                                                     std::span<const ConfigIndex> targets,
                                                     int threads, std::stop_token stop) {
    if (step <= 0 || targets.empty()) return std::vector<ConfigIndex>{};
    const Scan scan(graph, step, targets);
    const std::int64_t begin = graph.levelBegin(step - 1);
    const std::int64_t end = graph.levelEnd(step - 1);
    constexpr std::int64_t kChunk = 4096;
    std::vector<std::vector<ConfigIndex>> found((end - begin + kChunk - 1) / kChunk);
    ThreadTeam team(std::max(1, threads));
    if (!team.forChunks(begin, end, kChunk, stop, [&](std::int64_t from, std::int64_t to, int) {
            scan.collect(static_cast<ConfigIndex>(from), static_cast<ConfigIndex>(to),
                         found[(from - begin) / kChunk]);
        }))
        return std::nullopt;
    std::vector<ConfigIndex> all;
    for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::optional<Neighbourhood> neighbourhood(const StateGraph& graph, State centre,
                                           const NeighbourhoodSpec& spec, const EdgesOf& edges,
                                           std::stop_token stop) {
    return Grower(graph, spec, edges, stop).run(centre);
}

}  // namespace orrery
