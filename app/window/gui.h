#pragma once

namespace orrery {

/// Runs the window until it is closed. Arguments: [FILE | builtin:NAME] and guiOptions(). With
/// --screenshot or --once the window ends by itself. TERM, INT and HUP close it; a solve that
/// runs then is cancelled.
/// @return the exit status: 0, 2 for wrong arguments, 6 without a display or if a picture could not
///         be written, 128 + n after signal n
int runGui(int argc, char** argv);

}  // namespace orrery
