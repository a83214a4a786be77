#include "core/dag/paths.h"

#include <algorithm>
#include <map>
#include <queue>
#include <utility>

#include "core/base/thread_team.h"

namespace orrery {

namespace {

using Key = std::pair<int, ConfigIndex>;

Key keyOf(State state) {
    return {state.step, state.config};
}

/// Follows the likeliest single step each time.
std::optional<StatePath> greedyPath(const StateGraph& graph, State from, const EdgesOf& edges,
                                    const std::stop_token& stop) {
    StatePath path;
    path.states.push_back({from, 1.0});
    while (path.states.back().state.step + 1 < graph.numLevels()) {
        if (stop.stop_requested()) return std::nullopt;
        const std::vector<WeightedState> next = edges(path.states.back().state);
        if (next.empty()) break;
        path.states.push_back(*std::ranges::max_element(next, {}, &WeightedState::probability));
        path.probability *= path.states.back().probability;
    }
    return path;
}

struct Reached {
    double probability = 0;  ///< of the best path known to the state
    double edge = 1;         ///< of its last edge
    State before;
    bool isDone = false;
};

struct Waiting {
    double probability;
    State state;
    /// The next to look at is the greatest: the likeliest, then the deepest, then the lowest.
    bool operator<(const Waiting& other) const {
        if (probability != other.probability) return probability < other.probability;
        if (state.step != other.state.step) return state.step < other.state.step;
        return state.config > other.state.config;
    }
};

StatePath pathTo(State end, const std::map<Key, Reached>& reached, State from) {
    StatePath path;
    path.probability = reached.at(keyOf(end)).probability;
    for (State state = end; state != from;) {
        const Reached& here = reached.at(keyOf(state));
        path.states.push_back({state, here.edge});
        state = here.before;
    }
    path.states.push_back({from, 1.0});
    std::ranges::reverse(path.states);
    return path;
}

/// Spreads forward from one state, level by level, until a level holds a goal.
class Wave {
public:
    Wave(const StateGraph& graph, const StateMarks& goals, int threads, const std::stop_token& stop)
        : m_graph(graph),
          m_goals(goals),
          m_reached(graph),
          m_team(std::max(1, threads)),
          m_stop(stop) {}

    std::optional<ShortestPath> run(State from) {
        m_reached.insert(from);
        for (int step = from.step;; ++step) {
            if (const auto goal = firstGoal(step)) return backFrom({step, *goal}, from);
            if (step + 1 >= m_graph.numLevels()) return ShortestPath{};
            if (!spreadMarks(m_graph, m_reached, step, m_team, m_stop)) return std::nullopt;
        }
    }

private:
    std::optional<ConfigIndex> firstGoal(int step) const {
        for (auto config = m_goals.next(step, 0); config; config = m_goals.next(step, *config + 1))
            if (m_reached.contains({step, *config})) return config;
        return std::nullopt;
    }

    std::optional<ShortestPath> backFrom(State goal, State from) {
        ShortestPath path;
        path.isFound = true;
        path.states.push_back(goal);
        while (path.states.back() != from) {
            const State state = path.states.back();
            const ConfigIndex target[] = {state.config};
            const auto before = predecessors(m_graph, state.step, target, m_team.size(), m_stop);
            if (!before) return std::nullopt;
            const auto known = std::ranges::find_if(*before, [&](ConfigIndex config) {
                return m_reached.contains({state.step - 1, config});
            });
            path.states.push_back({state.step - 1, *known});
        }
        std::ranges::reverse(path.states);
        for (std::size_t i = 0; i + 1 < path.states.size(); ++i)
            nameEdge(path, path.states[i], path.states[i + 1].config);
        return path;
    }

    /// The joint action that leads there with the highest probability; of several the lowest.
    void nameEdge(ShortestPath& path, State state, ConfigIndex to) const {
        ActionProfileIndex best = 0;
        double most = 0;
        for (ActionProfileIndex p = 0; p < m_graph.numProfiles(); ++p)
            for (const GraphOutcome& outcome : m_graph.outcomes(state.config, p))
                if (outcome.successor == to && outcome.probability > most) {
                    most = outcome.probability;
                    best = p;
                }
        path.profiles.push_back(best);
        path.probabilities.push_back(most);
    }

    const StateGraph& m_graph;
    const StateMarks& m_goals;
    StateMarks m_reached;
    ThreadTeam m_team;
    const std::stop_token& m_stop;
};

}  // namespace

std::optional<StatePath> mostProbablePath(const StateGraph& graph, State from, const EdgesOf& edges,
                                          std::int64_t maxExpanded, std::stop_token stop) {
    auto greedy = greedyPath(graph, from, edges, stop);
    if (!greedy) return std::nullopt;
    std::map<Key, Reached> reached;
    std::priority_queue<Waiting> waiting;
    reached[keyOf(from)] = {1.0, 1.0, from};
    waiting.push({1.0, from});
    for (std::int64_t expanded = 0; !waiting.empty();) {
        if (stop.stop_requested()) return std::nullopt;
        const State state = waiting.top().state;
        waiting.pop();
        Reached& here = reached[keyOf(state)];
        if (here.isDone) continue;
        here.isDone = true;
        if (state.step + 1 >= graph.numLevels()) return pathTo(state, reached, from);
        if (++expanded > maxExpanded) {
            greedy->isProven = false;
            return greedy;
        }
        const double sofar = here.probability;
        for (const WeightedState& edge : edges(state)) {
            const double probability = sofar * edge.probability;
            // A little slack: the two products are rounded in the same order, but not the bound's.
            if (probability < greedy->probability * (1 - 1e-12)) continue;
            Reached& there = reached[keyOf(edge.state)];
            if (there.probability >= probability) continue;
            there = {probability, edge.probability, state};
            waiting.push({probability, edge.state});
        }
    }
    return greedy;
}

std::optional<ShortestPath> shortestPath(const StateGraph& graph, State from,
                                         const StateMarks& goals, int threads,
                                         std::stop_token stop) {
    return Wave(graph, goals, threads, stop).run(from);
}

}  // namespace orrery
