#pragma once

#include <string>

#include "core/run/run_spec.h"

namespace orrery {

/// A name for people who gave none: the world and what differs from a plain solve, "Locked pantry ·
/// beta_r 5 · seed 3". Only fields that can be swept are named.
/// @param world  its title, or empty
std::string describeRun(const std::string& world, const RunSpec& spec);

/// A run's name as far as somebody gave it: without what describeRun() adds to it.
std::string nameWithoutDescription(const RunSpec& spec);

/// What a spec's worlds are called where they were never read: "builtin:first_steps,
/// a/hedge_maze.yaml" gives "First steps, Hedge maze".
std::string titleOfWorlds(const std::string& worlds);

/// "two rooms - beta_r 5 - r00012": a run as the name of a folder for people, its id at the end.
std::string runFolderName(const std::string& name, const std::string& id);

}  // namespace orrery
