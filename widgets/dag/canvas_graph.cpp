#include "widgets/dag/canvas_graph.h"

#include <algorithm>
#include <utility>

#include "widgets/dag/layered_layout.h"

namespace orrery {

namespace {

std::pair<int, ConfigIndex> keyOf(State state) {
    return {state.step, state.config};
}

}  // namespace

void CanvasGraph::restart(State root) {
    m_roots.assign(1, root);
    m_fans.clear();
    m_nodes.clear();
    m_index.clear();
    refresh();
}

void CanvasGraph::addRoot(State root) {
    if (std::ranges::find(m_roots, root) != m_roots.end()) return;
    m_roots.resize(std::min<std::size_t>(m_roots.size(), 1));  // the first and the newest
    m_roots.push_back(root);
    refresh();
}

void CanvasGraph::open(const Neighbourhood& neighbourhood) {
    for (const Fan& fan : neighbourhood.fans) m_fans[{keyOf(fan.centre), fan.isForward}] = fan;
    refresh();
}

void CanvasGraph::addEdge(State from, const WeightedState& to) {
    const auto [fan, isNew] = m_fans.try_emplace({keyOf(from), true}, Fan{from, true, {}, -1});
    auto& ends = fan->second.ends;
    if (std::ranges::find(ends, to.state, &WeightedState::state) != ends.end()) return;
    ends.push_back(to);
    if (!isNew && fan->second.numLeftOut > 0) --fan->second.numLeftOut;
    refresh();
}

void CanvasGraph::close(State centre, bool isForward) {
    if (m_fans.erase({keyOf(centre), isForward}) > 0) refresh();
}

void CanvasGraph::show(std::vector<CanvasNode> nodes, std::vector<CanvasEdge> edges) {
    m_fans.clear();
    m_roots.clear();
    m_index.clear();
    m_isComplete = true;
    m_nodes = std::move(nodes);
    m_edges = std::move(edges);
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
        m_index[keyOf(m_nodes[i].state)] = static_cast<int>(i);
    for (const CanvasNode& node : m_nodes) {
        if (node.parent < 0) m_roots.push_back(node.state);
        for (const bool isForward : {true, false})
            if (node.isExpanded[isForward])
                m_fans[{keyOf(node.state), isForward}] =
                    Fan{node.state, isForward, {}, node.numLeftOut[isForward]};
    }
    for (const CanvasEdge& edge : m_edges) {
        const State from = m_nodes[static_cast<std::size_t>(edge.from)].state;
        const State to = m_nodes[static_cast<std::size_t>(edge.to)].state;
        const auto fan = m_fans.find({keyOf(edge.isForward ? from : to), edge.isForward});
        if (fan != m_fans.end())
            fan->second.ends.push_back({edge.isForward ? to : from, edge.probability});
    }
}

bool CanvasGraph::isOpen(State centre, bool isForward) const {
    return m_fans.contains({keyOf(centre), isForward});
}

std::optional<int> CanvasGraph::find(State state) const {
    const auto found = m_index.find(keyOf(state));
    return found == m_index.end() ? std::nullopt : std::optional(found->second);
}

int CanvasGraph::nodeOf(State state, int parent) {
    const auto [at, isNew] = m_index.try_emplace(keyOf(state), static_cast<int>(m_nodes.size()));
    if (!isNew) return at->second;
    if (std::ssize(m_nodes) >= kMaxNodes) {
        m_index.erase(at);
        m_isComplete = false;
        return -1;
    }
    CanvasNode node;
    node.state = state;
    node.parent = parent;
    m_nodes.push_back(node);
    return at->second;
}

void CanvasGraph::collect() {
    m_nodes.clear();
    m_edges.clear();
    m_index.clear();
    m_isComplete = true;
    for (const State& root : m_roots) nodeOf(root, -1);
    for (int at = 0; at < std::ssize(m_nodes); ++at) {
        for (const bool isForward : {true, false}) {
            const auto fan =
                m_fans.find({keyOf(m_nodes[static_cast<std::size_t>(at)].state), isForward});
            if (fan == m_fans.end()) continue;
            CanvasNode& node = m_nodes[static_cast<std::size_t>(at)];
            node.isExpanded[isForward] = true;
            node.numLeftOut[isForward] = fan->second.numLeftOut;
            for (const WeightedState& end : fan->second.ends) {
                const int other = nodeOf(end.state, at);
                if (other < 0) continue;
                m_edges.push_back(isForward ? CanvasEdge{at, other, end.probability, true}
                                            : CanvasEdge{other, at, end.probability, false});
            }
        }
    }
    // An edge of both its ends' fans is one edge, the forward one.
    std::ranges::stable_sort(m_edges, [](const CanvasEdge& a, const CanvasEdge& b) {
        if (a.from != b.from) return a.from < b.from;
        if (a.to != b.to) return a.to < b.to;
        return a.isForward && !b.isForward;
    });
    const auto doubled =
        std::unique(m_edges.begin(), m_edges.end(),
                    [](const auto& a, const auto& b) { return a.from == b.from && a.to == b.to; });
    m_edges.erase(doubled, m_edges.end());
}

void CanvasGraph::layOut(const std::map<Key, double>& before) {
    std::vector<LayoutNode> nodes;
    for (const CanvasNode& node : m_nodes) {
        const auto old = before.find(keyOf(node.state));
        nodes.push_back(
            {node.state.step, old == before.end() ? std::nullopt : std::optional(old->second)});
    }
    std::vector<LayoutEdge> edges;
    for (const CanvasEdge& edge : m_edges)
        edges.push_back({edge.from, edge.to, 0.1 + edge.probability});
    const std::vector<double> y = layoutLayers(nodes, edges, kRowPitch);
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        m_nodes[i].x = m_nodes[i].state.step * kColumnPitch;
        m_nodes[i].y = y[i];
    }
}

void CanvasGraph::refresh() {
    std::map<Key, double> before;
    for (const CanvasNode& node : m_nodes) before[keyOf(node.state)] = node.y;
    // A single state has no order to keep.
    if (before.size() < 2) before.clear();
    collect();
    layOut(before);
}

}  // namespace orrery
