#include "tests/support/reference_graph.h"

#include <map>
#include <set>

namespace orrery::reference {

std::vector<long> RefGraph::statesPerStep() const {
    std::vector<long> count;
    for (const RefState& s : states) {
        if (static_cast<std::size_t>(s.t) >= count.size()) count.resize(s.t + 1);
        ++count[s.t];
    }
    return count;
}

long RefGraph::numRows() const {
    long sum = 0;
    for (const auto& ofState : rows) sum += static_cast<long>(ofState.size());
    return sum;
}

long RefGraph::numEntries() const {
    long sum = 0;
    for (const auto& ofState : rows)
        for (const Row& row : ofState) sum += static_cast<long>(row.size());
    return sum;
}

long RefGraph::numDistinctEdges() const {
    long sum = 0;
    for (const auto& ofState : rows) {
        std::set<int> successors;
        for (const Row& row : ofState)
            for (const auto& [probability, next] : row) successors.insert(next);
        sum += static_cast<long>(successors.size());
    }
    return sum;
}

double RefGraph::sumOfSquares() const {
    double sum = 0.0;
    for (const auto& ofState : rows)
        for (const Row& row : ofState)
            for (const auto& [probability, next] : row) sum += probability * probability;
    return sum;
}

std::string RefGraph::stateHash() const {
    std::vector<std::string> texts;
    for (const RefState& s : states) texts.push_back(canonicalText(s));
    return stateSetHash(std::move(texts));
}

RefGraph exploreAll(const RefWorld& world) {
    RefGraph graph;
    std::map<RefState, int> indexOf;
    const auto indexFor = [&](const RefState& state) {
        const auto [place, isNew] = indexOf.emplace(state, static_cast<int>(graph.states.size()));
        if (isNew) graph.states.push_back(state);
        return place->second;
    };
    indexFor(world.start);
    for (std::size_t s = 0; s < graph.states.size(); ++s) {
        graph.rows.emplace_back();
        const RefState state = graph.states[s];
        if (world.isTerminal(state)) continue;
        for (int p = 0; p < world.numProfiles(); ++p) {
            RefGraph::Row row;
            for (const auto& [probability, next] : transitions(world, state, world.profile(p)))
                row.emplace_back(probability, indexFor(next));
            graph.rows[s].push_back(row);
        }
    }
    return graph;
}

}  // namespace orrery::reference
