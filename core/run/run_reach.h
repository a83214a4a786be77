#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/history/history_reader.h"

namespace orrery {

/// How far a stored training came.
struct RunReach {
    std::int64_t step = 0;                        ///< the last one of which numbers are stored
    std::optional<std::int64_t> checkpoint = {};  ///< step of the newest one; none: there is none
};

/// Reads one curve: O(its points).
/// @throws Error (Damaged)
RunReach reachOf(const HistoryReader& reader, const std::string& runId);

}  // namespace orrery
