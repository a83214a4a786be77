#pragma once

#include <cstdint>
#include <string>

namespace orrery {

/// A stretch of a training with something of its own: a curriculum's lesson, a warm-up.
struct TrainingStage {
    std::string name = {};     ///< in files: "v_h_e"
    std::string title = {};    ///< for people; symbols as "V_h^e"
    std::int64_t begin = 0;    ///< training steps [begin, end)
    std::int64_t end = 0;      ///< the last stage has no end: the greatest number
    std::string trained = {};  ///< what is: "V_h^e, X_h"; empty: nothing is said of it
    std::string opening = {};  ///< what else happens at its begin; empty: nothing
};

}  // namespace orrery
