#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/history/history_reader.h"
#include "core/train/train.h"

namespace orrery {

/// How far a stored training came.
struct RunReach {
    std::int64_t step = 0;                        ///< the last one of which numbers are stored
    std::optional<std::int64_t> checkpoint = {};  ///< step of the newest one; none: there is none
};

/// Reads one curve: O(its points).
/// @throws Error (Damaged)
RunReach reachOf(const HistoryReader& reader, const std::string& runId);

/// Seconds between two checkpoints of a stored training, as was in force at the last: by its spec
/// and by what it told since it was begun or resumed.
double checkpointSecondsOf(const TrainCadence& cadence, std::span<const EventRow> events);

}  // namespace orrery
