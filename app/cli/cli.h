#pragma once

namespace orrery {

/// True if the arguments ask for a verb, for help or for the version; false if they ask for the
/// window: none at all, a world file, or options that only the window has.
bool wantsCommandLine(int argc, const char* const* argv);

/// Carries out the verb that the arguments name and returns the program's exit status: 0 done,
/// 1 failed, 2 bad usage or input, 3 a verification differs, 4 diverged, 5 damaged or newer data,
/// 6 a resource is missing, locked or read-only, 128 + signal if stopped.
///
/// Call it first in main, while the process has one thread: it blocks the stop signals.
int runCli(int argc, const char* const* argv);

}  // namespace orrery
