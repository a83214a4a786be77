#include "core/run/archive/run_reach.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/run/json_members.h"
#include "core/train/checkpoint_clock.h"

namespace orrery {

namespace {

/// Of a message of longerIntervalMessage.
std::optional<double> secondsIn(const std::string& data) {
    const auto json = nlohmann::ordered_json::parse(data, nullptr, false);
    const auto* seconds = memberOf(json, "seconds");
    if (seconds == nullptr || !seconds->is_number()) return std::nullopt;
    return seconds->get<double>();
}

}  // namespace

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

double checkpointSecondsOf(const TrainCadence& cadence, std::span<const EventRow> events) {
    double seconds = cadence.checkpointSeconds;
    for (const EventRow& event : events) {
        if (event.code == "train.resumed") seconds = cadence.checkpointSeconds;
        if (event.code == kCheckpointIntervalCode)
            seconds = secondsIn(event.data).value_or(seconds);
    }
    return seconds;
}

}  // namespace orrery
