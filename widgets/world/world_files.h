#pragma once

#include <functional>

class QWidget;

namespace orrery {

class PlanSession;
class WorldEditor;

/// Writes the world's own file; asks for a name if it has none, and before comments of the file or
/// what another program wrote there would be lost.
void saveWorld(WorldEditor& editor, const PlanSession& session, QWidget* window);
/// Asks for a file name, then writes the world there.
void saveWorldAs(WorldEditor& editor, const PlanSession& session, QWidget* window);
/// Opens the New world dialog; the world it makes becomes the session's and is edited. `show`
/// brings the map to the front, once the dialog was answered.
void askForNewWorld(WorldEditor& editor, QWidget* window, const std::function<void()>& show);

}  // namespace orrery
