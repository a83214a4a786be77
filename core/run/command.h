#pragma once

#include <string>

namespace orrery {

/// What a person tells a live run to do. Applied at the next boundary (between two levels, between
/// two training steps, or between two progress reports of one), by a paused run at once at the one
/// where it stands, and stored there as an event, so that it is known later when a run was steered
/// and how.
struct RunCommand {
    enum class Kind {
        Pause,
        Resume,
        Cancel,
        Set,         ///< a parameter of a training: `key` becomes `value`
        Checkpoint,  ///< a training saves itself now
        Step,        ///< a paused training does one step and is paused again
    };
    Kind kind = Kind::Cancel;
    std::string source = {};  ///< who asked: "window", "signal 15"; for the log
    std::string key = {}, value = {};
};

/// "pause", "resume", "cancel", "set", "checkpoint", "step".
const char* nameOf(RunCommand::Kind kind);

}  // namespace orrery
