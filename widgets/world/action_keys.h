#pragma once

#include <QString>
#include <optional>

#include "core/world/world.h"

namespace orrery {

/// The action that a key means for an agent: arrows or WASD turn and go (or move), 0 stays, others
/// have a letter of their name. Nothing if the key means none. `key` is a Qt::Key.
std::optional<int> actionOfKey(const AgentInfo& agent, int key);

/// What stands on the key of an action: "←", "0", "K".
QString keyOfAction(const AgentInfo& agent, int action);

}  // namespace orrery
