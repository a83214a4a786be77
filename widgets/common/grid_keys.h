#pragma once

#include <QPoint>
#include <optional>

namespace orrery {

/// Where an arrow key points; nothing for other keys.
inline std::optional<QPoint> arrowStep(int key) {
    switch (key) {
        case Qt::Key_Left:
            return QPoint(-1, 0);
        case Qt::Key_Right:
            return QPoint(1, 0);
        case Qt::Key_Up:
            return QPoint(0, -1);
        case Qt::Key_Down:
            return QPoint(0, 1);
        default:
            return std::nullopt;
    }
}

/// How far one moves through the cells of a grid that are counted row by row.
inline std::optional<int> gridStep(int key, int columns) {
    const auto step = arrowStep(key);
    return step ? std::optional(step->y() * columns + step->x()) : std::nullopt;
}

}  // namespace orrery
