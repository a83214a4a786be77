#pragma once

#include <QPolygonF>
#include <QRectF>
#include <optional>
#include <vector>

namespace orrery {

/// Makes the pieces of a line on a surface of pixels. A point that is not finite breaks the line.
/// Parts far outside the window are cut off exactly where they leave it, so that coordinates stay
/// small and slopes stay true.
class LineBuilder {
public:
    /// @param window  what must be right; outside it the line may be missing
    explicit LineBuilder(const QRectF& window) : m_window(window) {}

    void add(const QPointF& point);
    /// Ends the present piece.
    void cut();
    /// The pieces so far, each of at least one point.
    std::vector<QPolygonF> take();

private:
    void append(const QPointF& point);

    QRectF m_window;
    QPolygonF m_piece;
    std::optional<QPointF> m_last;  ///< as given, not cut off
    std::vector<QPolygonF> m_pieces;
};

/// The part of a segment within a rectangle, as the two ends; nothing if they do not meet.
std::optional<std::pair<QPointF, QPointF>> clippedSegment(const QPointF& from, const QPointF& to,
                                                          const QRectF& window);

}  // namespace orrery
