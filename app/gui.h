#pragma once

namespace orrery {

/// Runs the window until it is closed.
///
/// Arguments: [FILE | builtin:NAME], --theme dark|light|system, --workspace FOLDER, and for
/// pictures and checks --screenshot FILE.png, --size WxH, --solve, --steps N (follow the policy N
/// times),
/// --page 1..4, --dump-ui FILE. With --screenshot or --dump-ui the window ends by itself.
/// @return the exit status: 0, 2 for wrong arguments, 6 if a picture could not be written
int runGui(int argc, char** argv);

}  // namespace orrery
