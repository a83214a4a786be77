#include "widgets/dag/layered_layout.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "core/base/rng.h"
#include "tests/support/test_program.h"
#include "widgets/dag/axis_ticks.h"
#include "widgets/dag/canvas_graph.h"

using namespace orrery;

namespace {

constexpr double kPitch = 100;

/// The nodes of each layer from top to bottom.
std::map<int, std::vector<int>> orders(const std::vector<LayoutNode>& nodes,
                                       const std::vector<double>& y) {
    std::map<int, std::vector<int>> layers;
    for (int i = 0; i < std::ssize(nodes); ++i)
        layers[nodes[static_cast<std::size_t>(i)].layer].push_back(i);
    for (auto& [layer, members] : layers)
        std::ranges::sort(members, {}, [&](int i) { return y[static_cast<std::size_t>(i)]; });
    return layers;
}

double leastGap(const std::vector<LayoutNode>& nodes, const std::vector<double>& y) {
    double least = 1e9;
    for (const auto& [layer, members] : orders(nodes, y))
        for (std::size_t k = 1; k < members.size(); ++k)
            least = std::min(least, y[static_cast<std::size_t>(members[k])] -
                                        y[static_cast<std::size_t>(members[k - 1])]);
    return least;
}

Fan fan(State centre, bool isForward, std::vector<WeightedState> ends) {
    return {centre, isForward, std::move(ends), 0};
}

}  // namespace

class LayeredLayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFanStandsEvenlyAroundItsCentre() {
        const std::vector<LayoutNode> nodes = {{0}, {1}, {1}, {1}, {-1}, {-1}};
        const std::vector<LayoutEdge> edges = {{0, 1}, {0, 2}, {0, 3}, {4, 0}, {5, 0}};
        const std::vector<double> y = layoutLayers(nodes, edges, kPitch);
        QVERIFY(std::abs(y[0]) < 1e-6);
        QVERIFY(std::abs(y[2] - y[0]) < 1e-6);
        QVERIFY(std::abs(y[2] - y[1] - kPitch) < 1e-6);
        QVERIFY(std::abs(y[3] - y[2] - kPitch) < 1e-6);
        QVERIFY(std::abs((y[4] + y[5]) / 2 - y[0]) < 1e-6);
    }

    void barycentresUntangleTwoLayers() {
        // a-d, b-c in an order that crosses: after the layout nothing crosses.
        const std::vector<LayoutNode> nodes = {{0}, {0}, {0}, {1}, {1}, {1}};
        const std::vector<LayoutEdge> edges = {{0, 5}, {1, 4}, {2, 3}};
        const std::vector<double> y = layoutLayers(nodes, edges, kPitch);
        int crossings = 0;
        for (const LayoutEdge& a : edges)
            for (const LayoutEdge& b : edges)
                if (y[static_cast<std::size_t>(a.from)] < y[static_cast<std::size_t>(b.from)] &&
                    y[static_cast<std::size_t>(a.to)] > y[static_cast<std::size_t>(b.to)])
                    ++crossings;
        QCOMPARE(crossings, 0);
    }

    void nodesNeverOverlapAndKnownOnesKeepTheirOrder() {
        Rng rng(7);
        for (int round = 0; round < 40; ++round) {
            std::vector<LayoutNode> nodes;
            std::vector<LayoutEdge> edges;
            const int size = 5 + static_cast<int>(rng.below(120));
            for (int i = 0; i < size; ++i) {
                LayoutNode node{static_cast<int>(rng.below(6))};
                if (rng.below(3) > 0) node.before = rng.uniform() * 2000;
                nodes.push_back(node);
            }
            for (int e = 0; e < 3 * size; ++e) {
                const int a = static_cast<int>(rng.below(static_cast<std::uint64_t>(size)));
                const int b = static_cast<int>(rng.below(static_cast<std::uint64_t>(size)));
                if (nodes[static_cast<std::size_t>(a)].layer !=
                    nodes[static_cast<std::size_t>(b)].layer)
                    edges.push_back({a, b, 0.1 + rng.uniform()});
            }
            const std::vector<double> y = layoutLayers(nodes, edges, kPitch);
            QVERIFY(leastGap(nodes, y) > kPitch - 1e-6);
            for (const auto& [layer, members] : orders(nodes, y)) {
                double last = -1;
                for (const int i : members)
                    if (const auto before = nodes[static_cast<std::size_t>(i)].before) {
                        QVERIFY(*before >= last);
                        last = *before;
                    }
            }
            QCOMPARE(layoutLayers(nodes, edges, kPitch), y);
        }
    }

    void aSecondOpeningMovesNoKnownNodePastAnother() {
        const State root{3, 50};
        CanvasGraph graph;
        graph.restart(root);
        std::vector<WeightedState> ends;
        ends.reserve(7);
        for (ConfigIndex c = 0; c < 7; ++c) ends.push_back({{4, 100 + c}, 0.1 + 0.01 * c});
        graph.open({{fan(root, true, ends), fan(root, false, {{{2, 7}, 0.5}, {{2, 9}, 0.5}})}});
        QCOMPARE(graph.nodes().size(), std::size_t{10});
        std::map<ConfigIndex, double> before;
        for (const CanvasNode& node : graph.nodes())
            if (node.state.step == 4) before[node.state.config] = node.y;
        const State opened{4, 103};
        graph.open({{fan(opened, false, {{{3, 51}, 0.3}, {{3, 52}, 0.2}}),
                     fan(opened, true, {{{5, 1}, 1.0}})}});
        QCOMPARE(graph.nodes().size(), std::size_t{13});
        for (const CanvasNode& a : graph.nodes())
            for (const CanvasNode& b : graph.nodes())
                if (a.state.step == 4 && b.state.step == 4)
                    QCOMPARE(a.y < b.y, before.at(a.state.config) < before.at(b.state.config));
        // Closed again, everything that only it led to is gone.
        graph.close(opened, true);
        QVERIFY(!graph.find({5, 1}));
        QVERIFY(graph.find({3, 51}));
        graph.close(root, true);
        QCOMPARE(graph.nodes().size(), std::size_t{3});
        QVERIFY(!graph.find(opened) && !graph.find({3, 51}));
    }

    void anEdgeOfTwoFansIsOneEdge() {
        CanvasGraph graph;
        graph.restart({0, 0});
        graph.open({{fan({0, 0}, true, {{{1, 1}, 0.25}}), fan({1, 1}, false, {{{0, 0}, 0.25}})}});
        QCOMPARE(graph.edges().size(), std::size_t{1});
        QVERIFY(graph.edges().front().isForward);
        QCOMPARE(graph.edges().front().probability, 0.25);
        QVERIFY(graph.nodes()[1].isExpanded[0] && !graph.nodes()[1].isExpanded[1]);
    }

    void moreThanTheLimitIsCutAndSaid() {
        CanvasGraph graph;
        graph.restart({0, 0});
        std::vector<WeightedState> ends;
        ends.reserve(6000);
        for (ConfigIndex c = 0; c < 6000; ++c) ends.push_back({{1, c}, 1.0 / 6000});
        graph.open({{fan({0, 0}, true, ends)}});
        QCOMPARE(std::ssize(graph.nodes()), std::ptrdiff_t{CanvasGraph::kMaxNodes});
        QVERIFY(!graph.isComplete());
    }

    void ticksAreRoundNumbersInTheRange() {
        const AxisTicks ticks = axisTicks(-11.6, 0.0, 4);
        QCOMPARE(ticks.values, (std::vector<double>{-10, -5, 0}));
        QCOMPARE(ticks.decimals, 0);
        const AxisTicks small = axisTicks(0.101, 0.149, 4);
        QCOMPARE(small.decimals, 2);
        QVERIFY(small.values.size() >= 3 && small.values.size() <= 6);
        for (const double v : small.values) QVERIFY(v >= 0.1009 && v <= 0.1491);
    }
};

ORRERY_TEST(LayeredLayoutTest)
#include "layered_layout_test.moc"
