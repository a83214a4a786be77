#include <QPointF>
#include <QRectF>
#include <QVariantAnimation>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/solve/solution.h"
#include "widgets/dag/canvas_graph.h"
#include "widgets/dag/card_pictures.h"
#include "widgets/dag/state_canvas.h"

// Where a StateCanvas shows its states: zoom, what is brought into view, places in the widget.

namespace orrery {

namespace {

constexpr double kLeastZoom = 0.04, kMostZoom = 3, kReadableZoom = 0.75;
constexpr double kLeastFitted = 0.5, kMostFitted = 2;  ///< of a state with its neighbours
/// What is opened unasked: enough to choose from, few enough to read.
constexpr int kMostEnds = 6, kLeastRows = 2;

}  // namespace

/// Enlarged cards have pictures of as many pixels.
void StateCanvas::restartPictures() {
    m_pictureScale = std::max(1.0, std::ceil(2 * m_zoom) / 2);
    m_pictures->restart(thumbnailsOf(m_solution ? m_solution->graphPointer() : nullptr),
                        devicePixelRatioF() * m_pictureScale);
}

void StateCanvas::setZoom(double zoom) {
    m_zoom = zoom;
    if (std::max(1.0, std::ceil(2 * m_zoom) / 2) != m_pictureScale) restartPictures();
}

/// Cards that can be read under each other.
int StateCanvas::numReadableRows() const {
    return std::clamp(static_cast<int>(height() / (CanvasGraph::kRowPitch * kReadableZoom)),
                      kLeastRows, kMostEnds);
}

QRectF StateCanvas::placeAround(const CanvasNode& node) const {
    return QRectF(node.x - kCardWidth / 2.0 - 30, node.y - kCardHeight / 2.0 - 8, kCardWidth + 60,
                  kCardHeight + 16);
}

/// What a node and those that it is joined with take.
QRectF StateCanvas::placeOfNeighbours(int node) const {
    const auto& nodes = m_graph.nodes();
    QRectF place = placeAround(nodes[static_cast<std::size_t>(node)]);
    for (const CanvasEdge& edge : m_graph.edges()) {
        if (edge.from == node) place |= placeAround(nodes[static_cast<std::size_t>(edge.to)]);
        if (edge.to == node) place |= placeAround(nodes[static_cast<std::size_t>(edge.from)]);
    }
    return place;
}

/// All of it, where that can be read; else the current state with its neighbours, or it alone.
void StateCanvas::zoomToFit() {
    if (m_graph.nodes().empty()) return;
    QRectF all;
    for (const CanvasNode& node : m_graph.nodes()) all |= placeAround(node);
    const auto zoomFor = [this](const QRectF& place) {
        return std::min(width() / place.width(), height() / place.height());
    };
    double zoom = std::clamp(zoomFor(all), kLeastZoom, kMostFitted);
    m_centre = all.center();
    const auto state = current();
    const auto at = state ? m_graph.find(*state) : std::nullopt;
    if (zoom < kReadableZoom && at) {
        const QRectF near = placeOfNeighbours(*at);
        const double ofNear = zoomFor(near);
        zoom = ofNear < kLeastFitted ? kReadableZoom : std::min(ofNear, kReadableZoom);
        const CanvasNode& node = m_graph.nodes()[static_cast<std::size_t>(*at)];
        const QPointF kept = ofNear < kLeastFitted ? QPointF(node.x, node.y) : near.center();
        m_centre = QPointF(all.width() < width() / zoom ? all.center().x() : kept.x(),
                           all.height() < height() / zoom ? all.center().y() : kept.y());
    }
    setZoom(zoom);
    m_isTouched = false;
    update();
}

void StateCanvas::zoomBy(double factor, const QPointF& fixed) {
    const double before = m_zoom;
    setZoom(std::clamp(m_zoom * factor, kLeastZoom, kMostZoom));
    m_isTouched = true;
    const QPointF away = fixed - QPointF(width() / 2.0, height() / 2.0);
    m_centre += away / before - away / m_zoom;
    update();
}

/// Pans no further than needed to show a node whole, or with room for its neighbours.
void StateCanvas::reveal(int node, bool withNeighbours) {
    const CanvasNode& shown = m_graph.nodes()[static_cast<std::size_t>(node)];
    const QPointF at = toWidget(QPointF(shown.x, shown.y));
    const double columns = withNeighbours ? 1 : 0.3;
    const double rows = withNeighbours ? 2 : 0.2;
    const double marginX = (kCardWidth / 2.0 + columns * CanvasGraph::kColumnPitch) * m_zoom;
    const double marginY = (kCardHeight / 2.0 + rows * CanvasGraph::kRowPitch) * m_zoom;
    const auto excess = [](double place, double margin, double length) {
        if (length < 2 * margin) return place - length / 2;
        return place < margin            ? place - margin
               : place > length - margin ? place - (length - margin)
                                         : 0.0;
    };
    m_centre +=
        QPointF(excess(at.x(), marginX, width()), excess(at.y(), marginY, height())) / m_zoom;
    update();
}

QRectF StateCanvas::area() const {
    return m_figure ? QRectF(QPointF(0, 0), m_figure->size) : QRectF(rect());
}

QPointF StateCanvas::toWidget(const QPointF& place) const {
    return (place - m_centre) * m_zoom + area().center();
}

QPointF StateCanvas::placeOf(int node) const {
    const CanvasNode& shown = m_graph.nodes()[static_cast<std::size_t>(node)];
    const QPointF end(shown.x, shown.y);
    if (m_movesFrom.size() != m_graph.nodes().size()) return end;
    const double part = m_motion->currentValue().toDouble();
    const QPointF start = m_movesFrom[static_cast<std::size_t>(node)];
    return start + (end - start) * part;
}

QRectF StateCanvas::cardRect(int node) const {
    const QPointF middle = toWidget(placeOf(node));
    const QSizeF size = QSizeF(QSize(kCardWidth, kCardHeight)) * m_zoom;
    return QRectF(middle - QPointF(size.width() / 2, size.height() / 2), size);
}

std::optional<int> StateCanvas::nodeAt(const QPointF& point) const {
    for (int node = 0; node < std::ssize(m_graph.nodes()); ++node)
        if (cardRect(node).contains(point)) return node;
    return std::nullopt;
}

}  // namespace orrery
