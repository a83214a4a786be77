#pragma once

#include <QByteArray>
#include <QJsonObject>

class QWidget;

namespace orrery {

class Selection;

/// A window as JSON for checks by programs: every visible named widget with its rectangle in the
/// window, its text and whether it is enabled and checked; the selection's address; and the facts.
QByteArray uiDump(const QWidget* window, const Selection& selection, const QJsonObject& facts = {});

}  // namespace orrery
