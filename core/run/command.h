#pragma once

#include <string>

#include "core/base/run_event.h"
#include "core/history/records.h"

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
    bool isUndo = false;  ///< a Set that takes another one back
};

/// "pause", "resume", "cancel", "set", "checkpoint", "step".
const char* nameOf(RunCommand::Kind kind);

/// The event that tells of a command: "pause at level 3, asked for by window".
/// @param isRefused  the run cannot do it
event::Message commandMessage(const RunCommand& command, const std::string& where, bool isRefused);

/// Whether a stored event tells of a command of this kind and source.
bool isAbout(const EventRow& event, const RunCommand& command);

}  // namespace orrery
