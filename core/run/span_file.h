#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/history/workspace.h"
#include "core/trace/stage_spans.h"

namespace orrery {

/// What a training's threads did when, and where its memory was, as its folder keeps it.
struct StoredSpans {
    std::shared_ptr<const SpanTimeline> timeline = {};  ///< not null
    std::map<std::string, std::int64_t> memory = {};    ///< bytes by name, as the method does
};

/// The file in a training's folder. It is written with every checkpoint and at the end, of the time
/// since the run was started or resumed last.
inline constexpr const char* kSpanFile = "spans.json";

std::string spansJson(const SpanTimeline& timeline,
                      const std::map<std::string, std::int64_t>& memory);

/// @param words  of all spans that it may have
/// @throws Error (Damaged) if the text is none, naming `what`
StoredSpans spansFromJson(std::string_view text, const std::vector<SpanWords>& words,
                          const std::string& what);

/// timeline.json, of a solve: one row a span, at most kMostStoredWork where WorkTrace is asked so.
inline constexpr std::size_t kMostStoredWork = 8192;
std::string timelineJson(const SpanTimeline& timeline);
/// @throws Error (Damaged) if the text is none, naming `what`
SpanTimeline timelineFromJson(std::string_view text, const std::string& what);

/// Those of a stored training; null if it kept none, as runs of older versions and solves.
/// @throws Error (BadInput) if the run is unknown, (Damaged) if its file is
std::shared_ptr<const StoredSpans> storedSpans(const Workspace& workspace, const std::string& run);
/// What the threads of a stored solve did, each span with its work; null if it kept none, as runs
/// of older versions and trainings.
/// @throws Error as storedSpans
std::shared_ptr<const SpanTimeline> storedTimeline(const Workspace& workspace,
                                                   const std::string& run);

}  // namespace orrery
