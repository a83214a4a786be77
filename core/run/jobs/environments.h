#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/entity/process/own_games.h"
#include "core/env/catalogue.h"
#include "core/run/run_spec.h"

namespace orrery {

/// The environments that the program knows: those of this tree, in the order in which galleries and
/// help list them, then those that this user added, by name. Any thread; entries stay good for
/// ever, also of those that were removed or added again meanwhile.
EnvironmentCatalogue knownEnvironments();
/// Why the user's own are not among them; empty: they are.
std::string ownEnvironmentsTrouble();

/// @throws Error (BadInput) naming the id that is nearest, and how a user adds one of their own
const EnvironmentEntry& knownEnvironment(std::string_view id);

/// Tries a command that serves environments (core/entity/process/own_games.h) and writes it down
/// for this user under a name, in the place of one that has it. Takes seconds: not for the thread
/// of a window.
/// @param folder  where the command begins
/// @throws Error in one line what is wrong; nothing is written down then
OwnGameTrial registerEnvironment(const std::string& name, const std::vector<std::string>& command,
                                 const std::filesystem::path& folder, const ProgressSink& progress,
                                 const std::stop_token& stop);
/// @throws Error (BadInput) if this user has none of that name
void unregisterEnvironment(std::string_view name);

/// A training in one of them, by the settings of specs/entity in the program's data folder that
/// suit it; where there are none, by the defaults.
/// @param optionsJson  of the environment
/// @throws Error (BadInput) if no method learns in it
RunSpec suggestedTraining(std::string_view environment, std::string_view optionsJson);

}  // namespace orrery
