#pragma once

#include "core/world/world_editing.h"

namespace orrery {

/// How bush worlds are edited.
const WorldEditing& bushEditing();

}  // namespace orrery
