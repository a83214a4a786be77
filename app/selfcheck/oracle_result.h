#pragma once

#include <cstdint>

namespace orrery {

/// What the comparison of one oracle file came to.
struct OracleResult {
    std::int64_t compared = 0;  ///< values
    std::int64_t passed = 0;    ///< values that agree
    std::int64_t failed = 0;    ///< values that differ, and sections missing, empty or unknown
    bool stopped = false;       ///< ended on request; the numbers cover a part only
};

}  // namespace orrery
