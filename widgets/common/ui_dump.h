#pragma once

#include <QByteArray>

class QWidget;

namespace orrery {

class Selection;

/// A window as JSON for checks by programs: every visible named widget with its rectangle in the
/// window, its text and whether it is enabled and checked; and the selection's address.
QByteArray uiDump(const QWidget* window, const Selection& selection);

}  // namespace orrery
