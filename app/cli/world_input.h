#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/console.h"
#include "app/cli/verb.h"
#include "core/files/world_file.h"
#include "core/run/world_ref.h"
#include "core/world/world.h"

namespace orrery {

/// How a command line names a world.
struct WorldChoice {
    std::string world;  ///< path of a world file, "builtin:NAME" or NAME
    bool lenient = false;
};

/// The positional WORLD and `--lenient`.
void addWorldOptions(Verb& verb, WorldChoice& choice);

/// What RunSpec takes for a world that a person named: "builtin:NAME" for the bare name of an
/// example where no file has that name, else the word itself.
std::string worldNamed(const std::string& word);

/// Whether a word names a world: a file, an example, or "-" for the standard input.
bool isWorld(const std::string& word);

/// The world of a word, which keeps `lenient`: as worldNamed, or "-" for a world file on the
/// standard input, whose text it then carries.
/// @throws Error (BadInput) if it is longer than a world file may be
WorldRef worldRefOf(const std::string& word, bool lenient = false);

/// Reads the world's file.
/// @throws Error if there is no such file or built-in world
WorldFile readWorld(const WorldChoice& choice);

/// Reads a world and prints what its reader says about it on the standard error.
/// @return null if the file has errors, which are then printed; the verb's status is 2
/// @throws Error if there is no such file or built-in world
std::shared_ptr<const World> loadWorld(const WorldChoice& choice, Console& console);
std::shared_ptr<const World> loadWorld(const WorldRef& named, Console& console);

/// A joint action as people type it: one action name an agent, in agent order, between commas
/// ("left,forward"), or by name with the others keeping action 0 ("robot0=forward").
/// @throws Error (BadInput) naming the part that is wrong and what would be right
ActionProfileIndex parseJointAction(const World& world, const std::string& text);

}  // namespace orrery
