#include "widgets/imgui/gl_driver.h"

// Compiled alone: these headers define Bool, None, Status and more as macros.
#include <GL/glx.h>
#include <X11/Xlib.h>

namespace orrery {

void loadGlDriver() {
    Display* display = XOpenDisplay(nullptr);
    if (display == nullptr) return;
    // Listing what may be drawn to is what makes the driver load; unlike making a context it cannot
    // end in an X error, which by Xlib's default ends the program.
    int numConfigs = 0;
    if (GLXFBConfig* configs =
            glXChooseFBConfig(display, DefaultScreen(display), nullptr, &numConfigs))
        XFree(static_cast<void*>(configs));
    XCloseDisplay(display);
}

}  // namespace orrery
