#pragma once

#include "widgets/part/window_part.h"

namespace orrery {

/// The view of what was done, and its newest command line on the clipboard.
class LogPart : public WindowPart {
    Q_OBJECT

public:
    using WindowPart::WindowPart;

    void addViews() override;
    void bindCommands() override;

private:
    void refreshCopy();
};

}  // namespace orrery
