#pragma once

#include <QList>
#include <Qt>

class QWidget;

namespace orrery {

/// The widgets within a part that Tab stops at now, in the order in which the picture is read: rows
/// from top to bottom, within a row from left to right, one container wholly before the next. What
/// lies over others comes after them. Other windows are not part of it.
///
/// @param also  counts as a stop even if Tab leaves it out or it is hidden; null: none
QList<QWidget*> tabStops(const QWidget& part, const QWidget* also = nullptr);

/// Gives a widget the keyboard and scrolls the areas around it until it is in sight.
void giveKeyboard(QWidget* widget, Qt::FocusReason reason);

}  // namespace orrery
