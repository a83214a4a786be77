#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/history/records.h"

namespace orrery {

/// MANIFEST.json of a run: of what it is, and its files with their checksums.
std::string manifestJson(const std::string& runId, const NewRun& run,
                         std::span<const ArtefactRow> files);

/// What keeps a manifest from being that of a run whose files the history lists; one sentence each.
std::vector<std::string> manifestProblems(std::string_view text, const std::string& runId,
                                          std::span<const ArtefactRow> listed);

}  // namespace orrery
