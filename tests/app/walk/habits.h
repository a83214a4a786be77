#pragma once

#include <QJsonObject>
#include <vector>

namespace orrery {

/// What people do in one go and chance alone hardly ever does.
struct WalkHabit {
    const char* aim;  ///< what it comes for, as reached
    bool needsSolution;
    bool needsTraining;                ///< a live one
    std::vector<QJsonObject> actions;  ///< as a WalkChooser picks them
};

const std::vector<WalkHabit>& walkHabits();

}  // namespace orrery
