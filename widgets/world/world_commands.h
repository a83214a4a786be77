#pragma once

#include <functional>

class QWidget;

namespace orrery {

class Commands;
class PlanSession;
class Timeline;
class WorldEditor;
class WorldPanel;

/// What the commands of the world work on.
struct WorldParts {
    PlanSession* session = nullptr;
    WorldEditor* editor = nullptr;
    Timeline* timeline = nullptr;
    std::function<WorldPanel*()> panel;  ///< may make it on its first call
    std::function<void()> showEditing;   ///< brings the map and its palette to the front
    QWidget* window = nullptr;           ///< parent of dialogs
};

/// Binds file.newWorld, file.saveWorld, file.saveWorldAs, world.play, world.edit, world.nextState,
/// world.previousState, world.nextOverlay, world.previousOverlay, world.lockRange and
/// world.playEpisode, and keeps them enabled as far as they can do something. The parts must live
/// as long as the commands.
void bindWorldCommands(Commands& commands, const WorldParts& parts);

}  // namespace orrery
