#pragma once

#include <string>
#include <vector>

#include "core/world/world_family.h"
#include "core/world/world_spec.h"

namespace orrery {

/// The second world family (spec 1.7): robots clear bushes by walking, humans push through. No
/// possibleGoals: every single cell.
struct BushWorldSpec : SharedSpec {
    /// Cells row by row: "Ro" robot, "Hu" human, otherwise a density >= 0.
    std::vector<std::vector<std::string>> map;
    int capacity = 10;    ///< B > 0: a human enters a cell of density d with probability 1 - d/B
    int fillDensity = 0;  ///< density under the players at the start, in [0, B]
};

const WorldFamily& familyOf(const BushWorldSpec*);

}  // namespace orrery
