#pragma once

#include <optional>
#include <span>
#include <vector>

namespace orrery {

/// A node of a layered picture.
struct LayoutNode {
    int layer = 0;
    /// Where it stood before; such nodes keep their order and, where there is room, their place.
    std::optional<double> before = {};
};

/// An edge between nodes of different layers.
struct LayoutEdge {
    int from = 0, to = 0;  ///< indices of nodes
    double weight = 1;     ///< > 0: how strongly it pulls its ends together
};

/// Places the nodes of each layer under each other: ordered by the barycentres of their neighbours,
/// then moved towards them with at least `pitch` between two of a layer.
///
/// @return [nodes] centres; without nodes that stood before, the middle of all is 0
/// Deterministic; O(sweeps x (N log N + E)): about 20 ms for 5,000 nodes and 15,000 edges.
std::vector<double> layoutLayers(std::span<const LayoutNode> nodes,
                                 std::span<const LayoutEdge> edges, double pitch);

}  // namespace orrery
