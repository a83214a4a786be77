#include "core/run/run_reach.h"

#include <algorithm>

#include "core/train/checkpoint_clock.h"

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

double checkpointSecondsOf(const EmpoSpec& spec, std::span<const EventRow> events) {
    double seconds = spec.checkpointSeconds;
    for (const EventRow& event : events) {
        if (event.code == "train.resumed") seconds = spec.checkpointSeconds;
        if (event.code == kCheckpointIntervalCode)
            seconds = intervalOfText(event.text).value_or(seconds);
    }
    return seconds;
}

}  // namespace orrery
