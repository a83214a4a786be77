#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/grid/grid_spec.h"
#include "core/world/world.h"

namespace orrery::test {

/// A grid world of that map whose goal is its first cell within the wall.
inline std::shared_ptr<const World> room(std::vector<std::string> map, int maxSteps = 5) {
    GridWorldSpec spec;
    spec.map = std::move(map);
    spec.maxSteps = maxSteps;
    spec.possibleGoals = {Goal{.x1 = 1, .y1 = 1, .x2 = 1, .y2 = 1}};
    return makeWorld(spec);
}

}  // namespace orrery::test
