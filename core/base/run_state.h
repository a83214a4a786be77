#pragma once

#include <optional>
#include <string_view>

namespace orrery {

/// Where a run stands. Queued to Blocked are live: a process works on the run or will.
enum class RunState {
    Queued,       ///< asked for, not begun
    Running,      ///< computing
    Paused,       ///< halted by its user, goes on when told
    Blocked,      ///< waits for disk space or for the database
    Finished,     ///< all that was asked is there
    Stopped,      ///< ended early on request; what was done is kept
    Failed,       ///< ended by an error
    Diverged,     ///< ended because values left the finite range
    Interrupted,  ///< its process died; recognised at the next start, can be resumed
};

/// The word that the database and the command line use: "queued" to "interrupted".
std::string_view nameOf(RunState state);

/// The state of that name; nothing for any other word.
std::optional<RunState> runStateOf(std::string_view name);

/// True for Queued, Running, Paused and Blocked.
bool isLive(RunState state);

}  // namespace orrery
