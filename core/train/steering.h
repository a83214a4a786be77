#pragma once

#include <cstdint>
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
    /// Of a rate that falls by itself, where it was asked for what it is now: that. The change has
    /// the value at the start, so that it can be repeated anywhere.
    std::string now = {};
    bool operator==(const AppliedChange&) const = default;
};

/// "actor.3" -> 3; -1 if the key is not an actor's.
int actorOf(std::string_view key);

}  // namespace orrery
