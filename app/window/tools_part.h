#pragma once

#include "widgets/part/window_part.h"

namespace orrery {

/// Sheets about the program itself, and panels moved by keys.
class ToolsPart : public WindowPart {
    Q_OBJECT

public:
    using WindowPart::WindowPart;

    void bindCommands() override;

private:
    void showUndoHistory();
    void showDoctor();
    void showShortcuts();
    void showAbout();
    void changePanel(bool floats);
};

}  // namespace orrery
