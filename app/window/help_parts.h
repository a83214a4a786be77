#pragma once

#include "widgets/help/help_manual.h"

namespace orrery {

class Commands;

/// What the manual takes from the program itself: "shortcuts", "solver-fields",
/// "train-fields", "settings", "verbs".
/// @param commands must outlive the manual
HelpManual::Parts helpParts(const Commands& commands);

}  // namespace orrery
