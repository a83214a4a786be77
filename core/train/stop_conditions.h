#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/train/steering.h"

namespace orrery {

/// Ends a run by itself. Every one that is set counts; the first that holds ends it.
struct StopConditions {
    std::optional<std::int64_t> step = {};          ///< training steps done
    std::optional<double> seconds = {};             ///< of training, pauses not counted
    std::optional<std::string> metric = {};         ///< its newest value ...
    std::optional<double> atMost = {};              ///< ... is this or less
    std::optional<double> atLeast = {};             ///< ... is this or more
    std::optional<std::int64_t> plateauSteps = {};  ///< `metric` has no new minimum for so long
    bool operator==(const StopConditions&) const = default;
};

/// Names of the conditions, in that order, in specs and as changes: "none" clears one. A condition
/// on the metric is refused while there is no metric; a metric may stand alone.
inline constexpr std::array<std::string_view, 6> kStopKeys{
    "stop_step", "stop_after", "stop_metric", "stop_at_most", "stop_at_least", "stop_plateau"};

bool isStopKey(std::string_view key);

/// The order of changes that are asked for together: a metric comes before the conditions on it, a
/// cleared one after them.
int orderOfChange(std::string_view key, std::string_view value);

/// Applies a change of one of kStopKeys.
/// @return the old value as text and no problem; or a problem, the conditions being unchanged
AppliedChange applyChange(const TrainChange& change, StopConditions& stop);

}  // namespace orrery
