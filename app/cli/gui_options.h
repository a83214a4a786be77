#pragma once

#include <span>

namespace orrery {

/// One option of the window, for its own reading and for the help of the command line.
struct GuiOption {
    const char* name;   ///< "theme": written --theme
    const char* value;  ///< what it takes: "FILE"; "" for a switch
    const char* meaning;
};

/// All of them.
std::span<const GuiOption> guiOptions();

}  // namespace orrery
