#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/checkpoint/checkpoint_folder.h"
#include "core/history/history_reader.h"
#include "core/history/records.h"
#include "core/run/checkpoint_measure.h"
#include "core/run/run_spec.h"
#include "core/train/train.h"

namespace orrery {

class Workspace;

/// States of a checkpoint's row. The best one is ready too.
inline constexpr std::string_view kReadyCheckpoint = "ready";
inline constexpr std::string_view kBestCheckpoint = "best";

/// Measures by the newest values of the curves: by the settings' best_metric if it is set, else as
/// the kind does.
/// @param spec  of a training
/// @return nothing if the curves that it takes have no finite value yet
std::optional<CheckpointMeasure> measureOf(const RunSpec& spec, const NewestMetrics& newest);

/// Newest values of the curves that measureOf looks at, up to a step of a stored run.
NewestMetrics measuredCurves(const HistoryReader& reader, const std::string& run, std::int64_t step,
                             const RunSpec& spec);

/// The row that is marked as best; null if none is.
/// @param rows  in any order
const CheckpointRow* bestRow(std::span<const CheckpointRow> rows);

/// The checkpoint that a person names: "best", a step, or nothing for the newest good one.
/// @param tell  receives a line for each newer one that is damaged
/// @throws Error (BadInput) if there is none such, (Damaged) one that was named
Checkpoint chosenCheckpoint(const Workspace& workspace, const std::string& run,
                            const std::string& choice,
                            const std::function<void(const std::string&)>& tell = {});

}  // namespace orrery
