#include "core/run/run_reach.h"

#include <algorithm>

namespace orrery {

RunReach reachOf(const HistoryReader& reader, const std::string& runId) {
    // Told whenever numbers are, in every stage of a training.
    constexpr const char* kAlways = "Rates/training_steps_per_second";
    RunReach reach;
    for (const MetricRow& row : reader.metrics(runId, kAlways))
        reach.step = std::max(reach.step, row.step);
    const auto checkpoints = reader.checkpoints(runId);
    if (!checkpoints.empty()) reach.checkpoint = checkpoints.front().step;
    reach.step = std::max(reach.step, reach.checkpoint.value_or(0));
    return reach;
}

}  // namespace orrery
