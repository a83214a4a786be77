#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace orrery {

/// A parameter that is changed while a run trains: applied before training step `step` is done.
struct TrainChange {
    std::int64_t step = 0;
    std::string key = {};     ///< a live field of the spec, or "actor.N"
    std::string value = {};   ///< as the field's text; "paused" or "running" for an actor
    std::string source = {};  ///< who asked: "window", "orrery steer"
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
    std::optional<double> seconds = {};             ///< of training, pauses not counted
    std::optional<std::string> metric = {};         ///< its newest value ...
    std::optional<double> atMost = {};              ///< ... is this or less
    std::optional<double> atLeast = {};             ///< ... is this or more
    std::optional<std::int64_t> plateauSteps = {};  ///< `metric` has no new minimum for so long
    bool operator==(const StopConditions&) const = default;
};

}  // namespace orrery
