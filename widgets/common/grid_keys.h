#pragma once

#include <QtCore/qnamespace.h>
#include <optional>

namespace orrery {

/// How far an arrow key moves through the cells of a grid that are counted row by row; nothing for
/// other keys.
inline std::optional<int> gridStep(int key, int columns) {
    switch (key) {
        case Qt::Key_Left:
            return -1;
        case Qt::Key_Right:
            return 1;
        case Qt::Key_Up:
            return -columns;
        case Qt::Key_Down:
            return columns;
        default:
            return std::nullopt;
    }
}

}  // namespace orrery
