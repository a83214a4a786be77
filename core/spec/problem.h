#pragma once

#include <string>

namespace orrery {

/// One thing wrong with a spec of a run or of a world, or without effect in it.
struct SpecProblem {
    std::string field;  ///< its name in files: "gamma_h", "habits[2].probability", "map"
    std::string text;   ///< what is wrong and what would be right: "must be in (0, 1], got 1.5"
    int row = -1;     ///< of a world's map, from 0; of a list: element from 0; -1: the whole field
    int column = -1;  ///< of a world's map: cell from 0; -1: the whole row
    bool isWarning = false;  ///< of a world only
};

}  // namespace orrery
