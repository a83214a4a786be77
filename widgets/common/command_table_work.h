#pragma once

#include <span>

#include "widgets/common/command_table.h"

namespace orrery {

/// The part of commandTable() about worlds and runs: the menus Run, World and Analyze.
std::span<const CommandSpec> workCommands();

}  // namespace orrery
