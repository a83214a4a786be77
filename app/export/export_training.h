#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "app/export/export_table.h"
#include "core/base/progress.h"

namespace orrery {

class Workspace;

/// Writes the weights and tables of a training's checkpoint as one safetensors file.
/// @param choice  "best", a step, or empty: the newest good one
/// @throws Error (BadInput) if the run is no training or has no such checkpoint
void exportWeights(const Workspace& workspace, const std::string& run, const std::string& choice,
                   const std::filesystem::path& file);

/// Copies a checkpoint, chosen likewise, as it lies in its run: all files that its manifest lists,
/// then the manifest. A folder called step_N is a checkpoint again: `orrery parse` checks it.
/// @param folder  made where there is none
/// @return false if stopped
/// @throws Error as exportWeights, (Resource) if the folder cannot be written
bool exportCheckpoint(const Workspace& workspace, const std::string& run, const std::string& choice,
                      const std::filesystem::path& folder, const std::stop_token& stop,
                      const ProgressSink& progress);

/// Writes what a checkpoint, chosen likewise, says of states that are not terminal, by step then by
/// configuration: step, configuration, visits (transitions of the training that started there),
/// then V_r, X_h and V_h^e (Values) or pi_r (Policies). V_r is in the scale of an exact solve.
/// Numbers that are defaults of a table are empty, null or NaN. Loads the learners' library.
///
/// Of a world that was solved exactly these are all its states. Of another one they are those that
/// transitions of the checkpoint's replay buffer start from, by step: they have no configuration,
/// visits are those transitions, and where all agents are follows (NAME.x, NAME.y, NAME.direction).
/// Several worlds are one table, with the world's number, from 1 on, in front; what a world lacks
/// is absent.
/// @return false if stopped
/// @throws Error (BadInput) as above
bool exportLearned(const Workspace& workspace, const std::string& run, const std::string& choice,
                   ExportContent content, ExportFormat format, const std::filesystem::path& file,
                   const std::stop_token& stop, const ProgressSink& progress);

}  // namespace orrery
