#pragma once

#include <string>

namespace orrery {

/// What a person tells a live run to do. Applied at the next boundary (between two levels, or
/// between two progress reports of one) and stored there as an event, so that it is known later
/// when a run was steered and how.
struct RunCommand {
    enum class Kind { Pause, Resume, Cancel };
    Kind kind = Kind::Cancel;
    std::string source;  ///< who asked: "window", "signal 15"; for the log
};

/// "pause", "resume", "cancel".
const char* nameOf(RunCommand::Kind kind);

}  // namespace orrery
