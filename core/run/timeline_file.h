#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/work_trace.h"
#include "core/history/workspace.h"

namespace orrery {

/// timeline.json: what each thread did when, at most some thousand intervals.
std::string timelineJson(const WorkTimeline& timeline);

/// @throws Error (Damaged) if the text is none, naming `what`
WorkTimeline timelineFromJson(std::string_view text, const std::string& what);

/// The timeline of a stored run; null if it kept none, as runs of older versions.
/// @throws Error (BadInput) if the run is unknown, (Damaged) if its file is
std::shared_ptr<const WorkTimeline> storedTimeline(const Workspace& workspace,
                                                   const std::string& run);

}  // namespace orrery
