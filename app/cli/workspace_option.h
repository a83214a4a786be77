#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/cli/console.h"
#include "app/cli/verb.h"
#include "core/history/workspace.h"

namespace orrery {

/// `--workspace FOLDER`; empty: the default folder.
void addWorkspaceOption(Verb& verb, std::string& folder);

std::filesystem::path workspaceFolder(const std::string& folder);

/// Opens a workspace for reading and prints its notices on the standard error.
/// @throws Error (Resource) if there is none yet, with what makes one
std::unique_ptr<Workspace> openForReading(const std::string& folder, Console& console);

/// Opens a workspace for writing, making it if necessary, and prints its notices.
/// @throws Error if another process writes to it or it cannot be written
std::unique_ptr<Workspace> openForWriting(const std::string& folder, Console& console,
                                          DbWriter::Options options = {});

}  // namespace orrery
