#pragma once

#include <QString>

namespace orrery {

/// Shows a message outside the window, by the desktop's notify-send. Does nothing where there is
/// none; returns at once.
void notifyDesktop(const QString& title, const QString& text);

}  // namespace orrery
