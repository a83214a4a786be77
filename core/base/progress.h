#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace orrery {

/// How far a long job is. Reported at most 30 times a second.
struct Progress {
    std::string phase;         ///< "explore", "solve", "write", ...
    std::int64_t done = 0;     ///< in units
    std::int64_t total = 0;    ///< in units; 0 if not known
    std::string unit;          ///< "configurations", "states", "bytes"
    int level = -1;            ///< the step worked on, -1 if none
    double seconds = 0;        ///< since the phase began
    double ratePerSecond = 0;  ///< units
    double secondsLeft = -1;   ///< -1 if not known
};

/// Called from a worker thread; must return at once.
using ProgressSink = std::function<void(const Progress&)>;

}  // namespace orrery
