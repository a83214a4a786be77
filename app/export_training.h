#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "app/export_table.h"
#include "core/base/progress.h"

namespace orrery {

class Workspace;

/// Writes the weights and tables of a training's checkpoint as one safetensors file.
/// @param choice  "best", a step, or empty: the newest good one
/// @throws Error (BadInput) if the run is no training or has no such checkpoint
void exportWeights(const Workspace& workspace, const std::string& run, const std::string& choice,
                   const std::filesystem::path& file);

/// Writes what a checkpoint, chosen likewise, says of every state that is not terminal, by step
/// then by configuration: step, configuration, visits (transitions of the training that started
/// there), then V_r, X_h and V_h^e (Values) or pi_r (Policies). V_r is in the scale of an exact
/// solve. Numbers that are defaults of a table are empty, null or NaN. For trainings on one world
/// that can be listed, which is the case if it was solved exactly. Loads the learners' library.
/// @return false if stopped
/// @throws Error (BadInput) as above, or if the states cannot be listed
bool exportLearned(const Workspace& workspace, const std::string& run, const std::string& choice,
                   ExportContent content, ExportFormat format, const std::filesystem::path& file,
                   const std::stop_token& stop, const ProgressSink& progress);

}  // namespace orrery
