#pragma once

#include <vector>

#include "widgets/frame/locator.h"

namespace orrery {

class Frame;

/// What the commands do that concern any window, whatever its parts: perspectives, tabs and panels,
/// undo.
void bindFrameCommands(Frame& frame);
/// Enables and names those that change.
void refreshFrameCommands(Frame& frame);

/// All commands and views of a window, for its search field.
std::vector<LocatorItem> commandItems(Frame& frame);

}  // namespace orrery
