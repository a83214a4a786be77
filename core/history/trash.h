#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/history/workspace.h"

namespace orrery {

/// How long a run stays in the trash.
inline constexpr std::chrono::days kTrashTime{30};

/// What the files of a run take, `runs/<id>/` and its plot included.
std::int64_t runBytes(const Workspace& workspace, const std::string& runId);

/// Deletes runs of the trash for good: first their rows, then their files.
/// @return the bytes of the files that were removed
/// @throws Error as DbWriter::deleteRows; Resource if a file cannot be removed
std::int64_t deleteRuns(Workspace& workspace, std::span<const std::string> runIds);

/// Runs that have been in the trash for longer than kTrashTime, as seen at a time (UTC).
std::vector<std::string> expiredTrash(const std::vector<RunRecord>& runs,
                                      std::chrono::sys_seconds now);

}  // namespace orrery
