#include "widgets/plots/line_builder.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery {

std::optional<std::pair<QPointF, QPointF>> clippedSegment(const QPointF& from, const QPointF& to,
                                                          const QRectF& window) {
    double enter = 0;
    double leave = 1;
    const QPointF way = to - from;
    // Each side: how fast the segment goes out of it, and how far inside it starts.
    const std::array<std::pair<double, double>, 4> sides = {
        std::pair(-way.x(), from.x() - window.left()),
        std::pair(way.x(), window.right() - from.x()), std::pair(-way.y(), from.y() - window.top()),
        std::pair(way.y(), window.bottom() - from.y())};
    for (const auto& [speed, inside] : sides) {
        if (speed == 0) {
            if (inside < 0) return std::nullopt;
        } else if (speed < 0) {
            enter = std::max(enter, inside / speed);
        } else {
            leave = std::min(leave, inside / speed);
        }
    }
    if (enter > leave) return std::nullopt;
    return std::pair(enter > 0 ? from + enter * way : from, leave < 1 ? from + leave * way : to);
}

void LineBuilder::append(const QPointF& point) {
    if (m_piece.isEmpty() || m_piece.back() != point) m_piece.append(point);
}

void LineBuilder::add(const QPointF& point) {
    if (!std::isfinite(point.x()) || !std::isfinite(point.y())) {
        cut();
        return;
    }
    if (!m_last) {
        if (m_window.contains(point)) append(point);
        m_last = point;
        return;
    }
    if (const auto part = clippedSegment(*m_last, point, m_window)) {
        if (part->first != *m_last && !m_piece.isEmpty()) {
            m_pieces.push_back(std::move(m_piece));
            m_piece = {};
        }
        append(part->first);
        append(part->second);
        if (part->second != point) {  // it left
            m_pieces.push_back(std::move(m_piece));
            m_piece = {};
        }
    }
    m_last = point;
}

void LineBuilder::cut() {
    if (!m_piece.isEmpty()) m_pieces.push_back(std::move(m_piece));
    m_piece = {};
    m_last.reset();
}

std::vector<QPolygonF> LineBuilder::take() {
    cut();
    return std::move(m_pieces);
}

}  // namespace orrery
