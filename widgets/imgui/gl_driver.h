#pragma once

namespace orrery {

/// Brings the OpenGL driver of the X display that DISPLAY names into the process, so that the first
/// context made there costs 14 instead of 31 ms of CPU. It has a connection of its own: the
/// window's is not safe in two threads (seen with libxcb 1.15: both waited for their replies for
/// ever). Does nothing where there is no such display. Any thread.
void loadGlDriver();

}  // namespace orrery
