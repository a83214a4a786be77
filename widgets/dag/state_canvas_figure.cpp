// The states around the current one on paper, and what of them can be kept in a file.
#include <QJsonArray>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/solve/solution.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/state_canvas.h"

namespace orrery {

namespace {

constexpr double kFigureMargin = 40;  ///< places around the cards, for their stubs
constexpr int kNodeNumbers = 7, kEdgeNumbers = 4;

QJsonArray jsonOf(const CanvasNode& node) {
    const int expanded = (node.isExpanded[0] ? 1 : 0) + (node.isExpanded[1] ? 2 : 0);
    return {node.state.step,
            static_cast<qint64>(node.state.config),
            node.y,
            expanded,
            static_cast<qint64>(node.numLeftOut[0]),
            static_cast<qint64>(node.numLeftOut[1]),
            node.parent};
}

std::optional<CanvasNode> nodeOf(const QJsonArray& json, const StateGraph& graph) {
    if (json.size() != kNodeNumbers) return std::nullopt;
    CanvasNode node;
    node.state.step = json[0].toInt(-1);
    const qint64 config = json[1].toInteger(-1);
    if (node.state.step < 0 || node.state.step >= graph.numLevels() || config < 0 ||
        config >= graph.numConfigs() ||
        !graph.inLevel(node.state.step, static_cast<ConfigIndex>(config)))
        return std::nullopt;
    node.state.config = static_cast<ConfigIndex>(config);
    node.x = node.state.step * CanvasGraph::kColumnPitch;
    node.y = json[2].toDouble();
    node.isExpanded[0] = (json[3].toInt() & 1) != 0;
    node.isExpanded[1] = (json[3].toInt() & 2) != 0;
    node.numLeftOut[0] = json[4].toInteger();
    node.numLeftOut[1] = json[5].toInteger();
    node.parent = json[6].toInt(-1);
    return node;
}

}  // namespace

QJsonObject StateCanvas::saveShown() const {
    QJsonArray nodes, edges;
    for (const CanvasNode& node : m_graph.nodes()) nodes.append(jsonOf(node));
    for (const CanvasEdge& edge : m_graph.edges())
        edges.append(QJsonArray{edge.from, edge.to, edge.probability, edge.isForward ? 1 : 0});
    QJsonObject shown{{QStringLiteral("rule"), static_cast<int>(m_rule)},
                      {QStringLiteral("nodes"), nodes},
                      {QStringLiteral("edges"), edges},
                      {QStringLiteral("centre"), QJsonArray{m_centre.x(), m_centre.y()}},
                      {QStringLiteral("zoom"), m_zoom},
                      {QStringLiteral("size"), QJsonArray{width(), height()}}};
    if (m_highlighted)
        shown.insert(QStringLiteral("highlighted"),
                     QJsonArray{m_highlighted->step, static_cast<qint64>(m_highlighted->config)});
    return shown;
}

void StateCanvas::restoreShown(const QJsonObject& shown) {
    if (!m_solution) return;
    m_worker->stopAll();
    m_isSlow = false;
    m_movesFrom.clear();
    m_rule = static_cast<EdgeRule>(std::clamp(shown.value(QLatin1String("rule")).toInt(1), 0, 2));
    const QJsonArray size = shown.value(QLatin1String("size")).toArray();
    if (size.size() == 2 && !isVisible())
        resize(std::clamp(size[0].toInt(), 1, 16'000), std::clamp(size[1].toInt(), 1, 16'000));
    std::vector<CanvasNode> nodes;
    std::vector<int> places;  // of the file's nodes among those that are states; -1: it is none
    for (const auto& json : shown.value(QLatin1String("nodes")).toArray()) {
        const auto node = nodeOf(json.toArray(), m_solution->graph());
        places.push_back(node ? static_cast<int>(nodes.size()) : -1);
        if (node) nodes.push_back(*node);
        if (nodes.size() >= CanvasGraph::kMaxNodes) break;
    }
    const auto placeOf = [&](int index) {
        return index >= 0 && index < std::ssize(places) ? places[static_cast<std::size_t>(index)]
                                                        : -1;
    };
    for (CanvasNode& node : nodes) node.parent = placeOf(node.parent);
    std::vector<CanvasEdge> edges;
    for (const auto& value : shown.value(QLatin1String("edges")).toArray()) {
        const QJsonArray json = value.toArray();
        if (json.size() != kEdgeNumbers) continue;
        const CanvasEdge edge{placeOf(json[0].toInt(-1)), placeOf(json[1].toInt(-1)),
                              json[2].toDouble(), json[3].toInt() != 0};
        if (edge.from >= 0 && edge.to >= 0) edges.push_back(edge);
    }
    m_graph.show(std::move(nodes), std::move(edges));
    m_isNearest = false;
    m_isTouched = true;
    const QJsonArray marked = shown.value(QLatin1String("highlighted")).toArray();
    m_highlighted.reset();
    if (marked.size() == 2)
        m_highlighted = State{marked[0].toInt(), static_cast<ConfigIndex>(marked[1].toInteger())};
    const QJsonArray centre = shown.value(QLatin1String("centre")).toArray();
    if (centre.size() == 2) m_centre = QPointF(centre[0].toDouble(), centre[1].toDouble());
    const double zoom = shown.value(QLatin1String("zoom")).toDouble(1);
    m_zoom = zoom > 0 ? std::clamp(zoom, 0.01, 10.0) : 1;
    afterChange();
}

QRectF StateCanvas::seenPart() const {
    const QSizeF size = QSizeF(width(), height()) / m_zoom;
    const QRectF window(m_centre - QPointF(size.width() / 2, size.height() / 2), size);
    QRectF part;
    const auto reach = [&](const QRectF& seen) {
        for (const CanvasNode& node : m_graph.nodes()) {
            const QRectF card(node.x - kCardWidth / 2.0, node.y - kCardHeight / 2.0, kCardWidth,
                              kCardHeight);
            if (card.intersects(seen)) part |= card;
        }
    };
    reach(window);
    if (part.isEmpty()) return window;
    reach(part);  // cards that are seen in part are seen whole on paper
    return part.adjusted(-kFigureMargin, -kFigureMargin / 4, kFigureMargin, kFigureMargin / 4);
}

void StateCanvas::paintFigure(QPainter& painter, const FigurePage& page) {
    if (m_graph.nodes().empty()) return;
    const QRectF part = seenPart();
    const QPointF centre = m_centre;
    const double zoom = m_zoom;
    auto moves = std::exchange(m_movesFrom, {});
    m_figure = page;
    m_centre = part.center();
    m_zoom = std::min({page.size.width() / part.width(), page.size.height() / part.height(), 1.5});
    painter.setRenderHint(QPainter::Antialiasing);
    paintGraph(painter, *page.tokens);
    m_figure.reset();
    m_centre = centre;
    m_zoom = zoom;
    m_movesFrom = std::move(moves);
}

}  // namespace orrery
