#pragma once

#include <span>
#include <vector>

namespace orrery {

/// One thing that the window can do, described once for menus, toolbar, shortcuts, the locator and
/// `orrery help window`.
struct CommandSpec {
    const char* id = "";    ///< stable: "world.step"
    const char* menu = "";  ///< "File", "Run", ...
    const char* text = "";  ///< sentence case, with a mnemonic; "..." if more input is needed
    const char* icon = "";  ///< name for themedIcon, or ""
    const char* keys = "";  ///< "Ctrl+O", more with "|" between; "" for none
    const char* tip = "";   ///< one sentence: what it does
    bool isCheckable = false;
    bool startsGroup = false;  ///< a separator stands before it in its menu
    bool isPrimary = false;    ///< its button is filled where it is what comes next
};

/// The program's own commands, menu by menu, in the order of the menus.
std::vector<CommandSpec> ownCommands();
/// Every command, in the same order.
std::span<const CommandSpec> commandTable();
/// Gives the program another list of commands; for main, before the table is read.
void useCommands(std::vector<CommandSpec> commands);

}  // namespace orrery
