#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/entity/files/enn_checkpoint.h"
#include "core/history/workspace.h"

namespace orrery {

/// A checkpoint of enn-trainer as a training that was stopped: it can be played, evaluated, forked
/// and resumed. It has the tag "imported".
struct EnnRun {
    std::string id;
    std::string name;
    std::int64_t step = 0;  ///< of its one checkpoint
};

/// Stores it. What its networks learned from may be less than what its environment shows here.
/// @param name     of the run; empty: that of the configuration
/// @param warning  is told what means nothing here
/// @throws Error (BadInput) the folder, or what does not fit its environment, and then nothing of
///         it is left; (Resource)
EnnRun importEnnCheckpoint(Workspace& workspace, const std::filesystem::path& folder,
                           const std::string& name,
                           const std::function<void(const std::string&)>& warning);

/// Writes a checkpoint of a training among things as such a folder. @param choice  as
/// chosenCheckpoint has it
/// @throws Error (BadInput) another kind of run, (Damaged) the checkpoint, (Resource) the folder
void exportEnnCheckpoint(const Workspace& workspace, const std::string& run,
                         const std::string& choice, const std::filesystem::path& folder);

}  // namespace orrery
