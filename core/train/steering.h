#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

/// A parameter that is changed while a run trains: applied before training step `step` is done.
struct TrainChange {
    std::int64_t step = 0;
    std::string key = {};     ///< a live field of the spec, one of kStopKeys, or "actor.N"
    std::string value = {};   ///< as the field's text; "paused" or "running" for an actor
    std::string source = {};  ///< who asked: "window", "orrery steer"
    bool isUndo = false;      ///< it takes another change back
    bool isReplay = false;    ///< it was known before the run came to its step
    bool operator==(const TrainChange&) const = default;
};

/// What became of one.
struct AppliedChange {
    TrainChange change = {};    ///< with the step at which it was applied
    std::string oldValue = {};  ///< empty if it was refused
    std::string problem = {};   ///< why it was refused: what, why, what to do
    bool operator==(const AppliedChange&) const = default;
};

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

/// The order of changes that are asked for together: a metric comes before the conditions on it, a
/// cleared one after them.
inline int orderOfChange(std::string_view key, std::string_view value) {
    if (key != "stop_metric") return 0;
    return value == "none" ? 1 : -1;
}

}  // namespace orrery
