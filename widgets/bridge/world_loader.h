#pragma once

#include <QString>
#include <QStringList>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/run/world_ref.h"
#include "core/world/world.h"
#include "core/world/world_spec.h"

namespace orrery {

/// A world file that was read.
struct LoadedWorld {
    std::string name;                    ///< path or "builtin:NAME", as WorldRef::name
    std::string text;                    ///< the file
    bool lenient = false;                ///< it was read so
    QString title;                       ///< for people
    QString sentence;                    ///< what the world teaches; may be empty
    std::shared_ptr<const World> world;  ///< null if the file has errors
    double solveSeconds = 0;             ///< of an example on a plain machine; 0: not known
    QStringList problems;                ///< "file:line:col: error ...", empty if there are none
    QStringList warnings;

    WorldRef ref() const { return {.name = name, .text = text, .lenient = lenient}; }
};

/// Reads a world file or an example ("builtin:NAME") and builds the world. A file with errors gives
/// a null world and the problems. May be called from any thread.
/// @throws Error if there is no such file or example
LoadedWorld loadWorld(const std::string& name);
/// The same for a world that may bring its text along, such as a stored run's.
LoadedWorld loadWorld(const WorldRef& world);

/// A world that is there already, such as a stored run's.
LoadedWorld loadedOf(const WorldRef& named, std::shared_ptr<const World> world);

/// What people call a world: its own name, else that of its example or file.
QString titleOfSpec(const std::string& name, const WorldSpec& spec);

/// A world that was drawn and not read: its text is the spec's YAML. A spec with errors gives a
/// null world and the problems.
LoadedWorld worldOfSpec(const std::string& name, const WorldSpec& spec);
/// The spec of a world file's text, as for pasting. Nothing, and the problems, if it has errors.
std::optional<WorldSpec> specOfText(const std::string& text, QStringList& problems);
/// Writes the spec as a world file, JSON if the name ends with ".json", else YAML; all or nothing.
/// @return the text of the file
/// @throws Error (Resource) naming the file and the reason; the former file is then kept
std::string saveWorldFile(const std::filesystem::path& file, const WorldSpec& spec);
/// The spec as YAML: equal texts, equal specs.
std::string worldText(const WorldSpec& spec);
/// Lines of a YAML world file that hold a comment: they are lost when it is written again. 0 if it
/// cannot be read.
int numCommentLinesIn(const std::filesystem::path& file);

/// The examples in alphabetical order, those with errors left out. Reads all of their files.
std::vector<LoadedWorld> loadExamples(std::stop_token stop = {});

/// The example that the window shows at first: "builtin:slippery_bridge" if there is one, else the
/// first. Empty if there are no examples.
std::string firstExample();

}  // namespace orrery
