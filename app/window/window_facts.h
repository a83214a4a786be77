#pragma once

#include <QJsonObject>

namespace orrery {

class EventWatch;
class MainWindow;

/// What stands behind the views of a window, for checks by programs: see uiDump.
/// @param watch  of its thread; may be null
QJsonObject windowFacts(MainWindow& window, const EventWatch* watch);

}  // namespace orrery
