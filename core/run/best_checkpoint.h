#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/checkpoint/checkpoint_folder.h"
#include "core/history/history_reader.h"
#include "core/history/records.h"

namespace orrery {

class Workspace;

/// States of a checkpoint's row. The best one is ready too.
inline constexpr std::string_view kReadyCheckpoint = "ready";
inline constexpr std::string_view kBestCheckpoint = "best";

/// How good a checkpoint is by the run's curves at its step.
struct CheckpointMeasure {
    /// What it is measured by: more is better, whatever the value. The error to exact counts more
    /// than losses, and more losses more than fewer, as in a warm-up.
    int rank = 0;
    double power = 0;  ///< beta_r in force: losses of different ones do not compare, more is better
    double value = 0;  ///< less is better

    bool isBetterThan(const CheckpointMeasure& other) const;
};

/// Measures by the newest values of the curves.
/// @param bestMetric  the curve that decides, less is better; empty: the error to the exact
///        solution (the mean of those of V_h^e and pi_r over all worlds), where there is none the
///        sum of the losses
/// @return nothing if the curves that it takes have no finite value yet
std::optional<CheckpointMeasure> measureOf(const std::map<std::string, double>& newest,
                                           const std::string& bestMetric);

/// Newest values of the curves that measureOf looks at, up to a step of a stored run.
std::map<std::string, double> measuredCurves(const HistoryReader& reader, const std::string& run,
                                             std::int64_t step, const std::string& bestMetric);

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
