#pragma once

#include <QImage>
#include <QRect>
#include <QStringList>

namespace orrery {

class UiDriver;

/// Texts of labels and buttons on the screen that are cut, or too faint (contrast below 4.5; those
/// of disabled parts may be). Of the newest dump.
QStringList unreadableTexts(const UiDriver& ui);

}  // namespace orrery
