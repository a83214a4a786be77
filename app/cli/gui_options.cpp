#include "app/cli/gui_options.h"

namespace orrery {

std::span<const GuiOption> guiOptions() {
    static constexpr GuiOption kOptions[] = {
        {"theme", "THEME", "Colours: dark, light or system."},
        {"workspace", "FOLDER", "Folder of the runs."},
        {"no-restore", "", "Opens as new and keeps nothing of this session."},
        {"profile", "NAME", "Settings, session and runs of their own; verbs take it, too."},
        {"portable", "", "The same, beside the program; verbs take it, too."},
        {"perspective", "NAME", "Opens on a perspective: home, world, plan, train, compare."},
        {"solve", "", "Solves the world first."},
        {"steps", "N", "Follows the policy that many times."},
        {"size", "WxH", "Size of the window, such as 1280x800."},
        {"screenshot", "FILE", "Saves the window as a PNG and ends."},
        {"dump-ui", "FILE",
         "For tests: writes the window's parts as JSON when FILE.request appears and at the end."},
        {"once", "", "With --dump-ui: writes it once all is shown, and ends."},
    };
    return kOptions;
}

}  // namespace orrery
