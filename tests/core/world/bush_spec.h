#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/bush/bush_world.h"

namespace orrery::test {

using BushMap = std::vector<std::vector<std::string>>;

inline BushWorldSpec bushSpecOf(BushMap map, int capacity, int fill = 0, int maxSteps = 3) {
    BushWorldSpec spec;
    spec.map = std::move(map);
    spec.capacity = capacity;
    spec.fillDensity = fill;
    spec.maxSteps = maxSteps;
    return spec;
}

}  // namespace orrery::test
