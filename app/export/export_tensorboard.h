#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/history/history_reader.h"

namespace orrery {

/// The sub-folders that exportTensorBoard writes into.
std::vector<std::filesystem::path> tensorBoardFolders(const HistoryReader& reader,
                                                      const std::vector<std::string>& runs,
                                                      const std::filesystem::path& folder);

/// Writes a TensorBoard folder: for each run a sub-folder named for people ("two rooms - r00012"),
/// with one event file that holds all metrics, the config and the events as text. Metrics keep
/// their steps; the time of a point is that of the last event recorded before it, for the database
/// keeps the order of points and not their times. Writing a run again replaces its file; nothing
/// else in the folder is touched.
///
/// @param runs  ids
/// @return the event files, in the order of `runs`; fewer if stopped
/// @throws Error (BadInput) if the folder is a file, (Resource) if it cannot be written
std::vector<std::filesystem::path> exportTensorBoard(const HistoryReader& reader,
                                                     const std::vector<std::string>& runs,
                                                     const std::filesystem::path& folder,
                                                     const std::stop_token& stop = {},
                                                     const ProgressSink& progress = {});

/// Seconds since 1970 of "2026-03-01T12:34:56.789Z"; 0 for a text of another form.
double secondsOfUtc(const std::string& utc);

}  // namespace orrery
