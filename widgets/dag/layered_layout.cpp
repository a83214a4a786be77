#include "widgets/dag/layered_layout.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>

namespace orrery {

namespace {

constexpr int kOrderSweeps = 8, kPlaceSweeps = 6;
/// How much more than one edge the former place of a node pulls.
constexpr double kStickiness = 8;

struct Wish {
    double place = 0, weight = 1;
};

/// The places nearest to the wishes (least squares) that keep the order and the distance `pitch`:
/// neighbours that would overlap are joined into blocks that move together.
std::vector<double> spread(const std::vector<Wish>& wishes, double pitch) {
    struct Block {
        double sum = 0, weight = 0;  ///< of wishes with the pitch taken out
        std::size_t size = 0;
        double mean() const { return sum / weight; }
    };
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
        const double flat = wishes[i].place - static_cast<double>(i) * pitch;
        blocks.push_back({flat * wishes[i].weight, wishes[i].weight, 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
            const Block last = blocks.back();
            blocks.pop_back();
            blocks.back().sum += last.sum;
            blocks.back().weight += last.weight;
            blocks.back().size += last.size;
        }
    }
    std::vector<double> places;
    for (const Block& block : blocks)
        for (std::size_t k = 0; k < block.size; ++k)
            places.push_back(block.mean() + static_cast<double>(places.size()) * pitch);
    return places;
}

class Layouter {
public:
    Layouter(std::span<const LayoutNode> nodes, std::span<const LayoutEdge> edges, double pitch)
        : m_nodes(nodes), m_pitch(pitch), m_y(nodes.size()), m_links(nodes.size()) {
        for (const LayoutEdge& edge : edges) {
            assert(nodes[edge.from].layer != nodes[edge.to].layer && edge.weight > 0);
            m_links[edge.from].push_back({edge.to, edge.weight});
            m_links[edge.to].push_back({edge.from, edge.weight});
        }
        for (int i = 0; i < std::ssize(nodes); ++i) m_layers[nodes[i].layer].push_back(i);
        m_isStable = std::ranges::any_of(
            nodes, [](const LayoutNode& node) { return node.before.has_value(); });
    }

    std::vector<double> run() {
        start();
        for (int sweep = 0; sweep < kOrderSweeps; ++sweep) {
            const bool isDown = sweep % 2 == 0;
            forLayers(isDown, [&](std::vector<int>& layer) { order(layer, isDown ? -1 : 1); });
        }
        for (int sweep = 0; sweep < kPlaceSweeps; ++sweep)
            forLayers(sweep % 2 == 0, [&](std::vector<int>& layer) { place(layer, 0); });
        if (!m_isStable && !m_y.empty()) {
            const auto [low, high] = std::ranges::minmax(m_y);
            for (double& y : m_y) y -= (low + high) / 2;
        }
        return std::move(m_y);
    }

private:
    struct Link {
        int node;
        double weight;
    };

    template <typename Body>
    void forLayers(bool isDown, Body&& body) {
        if (isDown)
            for (auto& entry : m_layers) body(entry.second);
        else
            for (auto it = m_layers.rbegin(); it != m_layers.rend(); ++it) body(it->second);
    }

    /// Known nodes stand where they stood; new ones beside their neighbours, outwards from these.
    void start() {
        std::vector<bool> isPlaced(m_nodes.size());
        std::vector<int> open;
        for (int i = 0; i < std::ssize(m_nodes); ++i)
            if (m_nodes[i].before) {
                m_y[i] = *m_nodes[i].before;
                isPlaced[i] = true;
                open.push_back(i);
            }
        for (std::size_t at = 0; at < open.size(); ++at)
            for (const Link& link : m_links[open[at]])
                if (!isPlaced[link.node]) {
                    isPlaced[link.node] = true;
                    m_y[link.node] = m_y[open[at]];
                    open.push_back(link.node);
                }
        for (auto& [number, layer] : m_layers) {
            double next = -m_pitch * static_cast<double>(layer.size() - 1) / 2;
            for (const int i : layer) {
                if (!isPlaced[i]) m_y[i] = next;
                next += m_pitch;
            }
            sortByPlace(layer);
            place(layer, 2);
        }
    }

    void sortByPlace(std::vector<int>& layer) {
        // A node that stood before never passes another one.
        std::ranges::stable_sort(layer, {}, [&](int i) { return m_y[i]; });
        if (!m_isStable) return;
        std::vector<int> known;
        for (const int i : layer)
            if (m_nodes[i].before) known.push_back(i);
        std::ranges::stable_sort(known, {}, [&](int i) { return *m_nodes[i].before; });
        std::size_t next = 0;
        for (int& i : layer)
            if (m_nodes[i].before) i = known[next++];
    }

    /// The mean of the neighbours on one side (-1 lower layers, 1 higher, 0 both).
    std::optional<Wish> barycentre(int i, int side) const {
        double sum = 0, weight = 0;
        for (const Link& link : m_links[i]) {
            const int away = m_nodes[link.node].layer - m_nodes[i].layer;
            if (side != 0 && (away > 0) != (side > 0)) continue;
            sum += m_y[link.node] * link.weight;
            weight += link.weight;
        }
        if (weight == 0) return std::nullopt;
        return Wish{sum / weight, weight};
    }

    void order(std::vector<int>& layer, int side) {
        for (const int i : layer)
            if (!m_nodes[i].before)
                if (const auto wish = barycentre(i, side)) m_y[i] = wish->place;
        sortByPlace(layer);
        place(layer, 2);
    }

    /// Gives the nodes of a layer their places in the present order. side 2: as near as possible to
    /// where they are.
    void place(const std::vector<int>& layer, int side) {
        std::vector<Wish> wishes;
        for (const int i : layer) {
            Wish wish{m_y[i], 1};
            if (m_nodes[i].before)
                wish = {*m_nodes[i].before, kStickiness};
            else if (side != 2)
                wish = barycentre(i, side).value_or(wish);
            wishes.push_back(wish);
        }
        const std::vector<double> places = spread(wishes, m_pitch);
        for (std::size_t k = 0; k < layer.size(); ++k) m_y[layer[k]] = places[k];
    }

    std::span<const LayoutNode> m_nodes;
    double m_pitch;
    std::vector<double> m_y;
    std::vector<std::vector<Link>> m_links;
    std::map<int, std::vector<int>> m_layers;
    bool m_isStable = false;
};

}  // namespace

std::vector<double> layoutLayers(std::span<const LayoutNode> nodes,
                                 std::span<const LayoutEdge> edges, double pitch) {
    return Layouter(nodes, edges, pitch).run();
}

}  // namespace orrery
