#pragma once

#include <functional>

class QObject;

namespace orrery {

/// Loads the OpenGL driver, once a process, in a thread and a turn of the event loop of its own,
/// and then calls `go` in the GUI thread, unless `receiver` is gone by then. Without it the first
/// ImGuiHost::isAvailable() does that, some 40 ms of CPU in which the window does not answer. GUI
/// thread only.
void whenGlIsLoaded(QObject* receiver, std::function<void()> go);

/// To be called before a context is made in the GUI thread: waits for the loading thread, if one
/// runs, so that no driver is loaded by two at once. GUI thread only.
void finishLoadingGl();

}  // namespace orrery
