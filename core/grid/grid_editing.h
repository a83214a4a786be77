#pragma once

#include "core/world/world_editing.h"

namespace orrery {

/// How grid worlds are edited.
const WorldEditing& gridEditing();

/// Rules of a grid world that are written, and those that are chosen.
std::vector<WorldRule> gridRules();
std::vector<WorldRuleChoice> gridChoices();

}  // namespace orrery
