#include "core/world/goal.h"

namespace orrery {

std::string goalText(const Goal& goal) {
    std::string first = std::to_string(goal.x1) + "," + std::to_string(goal.y1);
    if (!goal.isRectangle) return first;
    return first + " to " + std::to_string(goal.x2) + "," + std::to_string(goal.y2);
}

}  // namespace orrery
