#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/run/run_spec.h"
#include "core/world/world.h"

namespace orrery {

/// A world file that was read.
struct LoadedWorld {
    std::string name;                    ///< path or "builtin:NAME", as SolveJob::world
    std::string text;                    ///< the file
    QString title;                       ///< for people
    QString sentence;                    ///< what the world teaches; may be empty
    std::shared_ptr<const World> world;  ///< null if the file has errors
    QStringList problems;                ///< "file:line:col: error ...", empty if there are none
    QStringList warnings;
};

/// Reads a world file or an example ("builtin:NAME") and builds the world. A file with errors gives
/// a null world and the problems. May be called from any thread.
/// @throws Error if there is no such file or example
LoadedWorld loadWorld(const std::string& name);

/// The examples in alphabetical order, those with errors left out. Reads all of their files.
std::vector<LoadedWorld> loadExamples(std::stop_token stop = {});

/// The example that the window shows at first: "builtin:slippery_bridge" if there is one, else the
/// first. Empty if there are no examples.
std::string firstExample();

}  // namespace orrery
