#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/dag/neighbours.h"

namespace orrery {

/// A state on a StateCanvas. x and y are in pixels of an unzoomed picture, y of its middle.
struct CanvasNode {
    State state;
    double x = 0, y = 0;
    bool isExpanded[2] = {false, false};  ///< backward, forward
    std::int64_t numLeftOut[2] = {0, 0};  ///< neighbours that a limit cut off; -1: some
    int parent = -1;                      ///< node whose fan it was first seen in; -1: it is a root
    bool operator==(const CanvasNode&) const = default;
};

struct CanvasEdge {
    int from = 0, to = 0;  ///< indices of nodes
    double probability = 0;
    bool isForward = true;  ///< it belongs to the fan of its tail, else to that of its head
};

/// What a StateCanvas shows: roots and everything that opened fans lead to, laid out by level. Fans
/// that were closed can be opened again only by asking for them anew. Holds no graph.
class CanvasGraph {
public:
    static constexpr int kMaxNodes = 5000;
    static constexpr double kColumnPitch = 236, kRowPitch = 114;

    /// Shows nothing but one state.
    void restart(State root);
    /// A state that is shown although no fan leads to it.
    void addRoot(State root);
    void open(const Neighbourhood& neighbourhood);
    /// Shows one successor of a state, whether its fan is open or not.
    void addEdge(State from, const WeightedState& to);
    void close(State centre, bool isForward);
    bool isOpen(State centre, bool isForward) const;
    /// Shows these nodes and edges as they are; what is opened later is added to them. Edges name
    /// nodes.
    void show(std::vector<CanvasNode> nodes, std::vector<CanvasEdge> edges);

    const std::vector<CanvasNode>& nodes() const { return m_nodes; }
    const std::vector<CanvasEdge>& edges() const { return m_edges; }
    std::optional<int> find(State state) const;
    /// False if kMaxNodes hides something that is open.
    bool isComplete() const { return m_isComplete; }

private:
    using Key = std::pair<int, ConfigIndex>;

    void collect();
    void layOut(const std::map<Key, double>& before);
    int nodeOf(State state, int parent);
    void refresh();

    std::vector<State> m_roots;
    std::map<std::pair<Key, bool>, Fan> m_fans;
    std::map<Key, int> m_index;
    std::vector<CanvasNode> m_nodes;
    std::vector<CanvasEdge> m_edges;
    bool m_isComplete = true;
};

}  // namespace orrery
