#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/entity/process/own_environment.h"
#include "core/env/catalogue.h"

namespace orrery {

/// Where the games that this user brought are written down:
/// `$XDG_CONFIG_HOME/orrery/environments.json`, by default below `~/.config`.
std::filesystem::path ownGamesFile();

/// Those of a file, sorted by name; none where there is no file.
/// @throws Error (Damaged) a file that is none of ours, (Resource) one that cannot be read
std::vector<OwnGame> readOwnGames(const std::filesystem::path& file);

/// What a game came to when it was tried.
struct OwnGameTrial {
    OwnGame game = {};
    std::int64_t steps = 0, episodes = 0;
    double secondsPerStep = 0;  ///< of one environment, the other program's own time included
};

/// Starts a game, asks for its spaces and plays some hundred steps by chance. Takes seconds; any
/// thread. What it tells beside its metrics becomes one.
/// @param game  its name and command
/// @throws Error (Failed, Resource) in one line what is wrong; (Failed) if it was stopped
OwnGameTrial tryOwnGame(OwnGame game, const ProgressSink& progress, const std::stop_token& stop);

/// Adds a game that was tried to a file, in the place of one of that name.
/// @throws Error (Resource, Damaged)
void addOwnGame(const std::filesystem::path& file, const OwnGame& game);
/// @throws Error (BadInput) if there is none of that name, with the nearest
void removeOwnGame(const std::filesystem::path& file, std::string_view name);

/// What is wrong with the name of an environment: letters, digits, and - _ . behind the first;
/// empty: nothing.
std::string ownNameProblem(std::string_view name);

/// A game as an entry of the catalogue. It starts nothing before an environment acts, but where
/// options are set: then the game is asked what it shows and takes.
EnvironmentEntry entryOfOwnGame(const OwnGame& game);

}  // namespace orrery
