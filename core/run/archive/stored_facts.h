#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/history/records.h"
#include "core/run/run_facts.h"

namespace orrery {

/// Reads a run's facts. A spec or a result that cannot be read gives none; nothing is thrown.
/// About 50 us where the result's file is in memory; of a run without a result the world that it
/// kept is read for its name. Any thread.
RunFacts readRunFacts(const std::filesystem::path& workspaceFolder, const RunRecord& run);

/// Only what its result says: no parameters, the world's name only from there. Half of the time.
RunFacts readRunResults(const std::filesystem::path& workspaceFolder, const RunRecord& run);

/// Adds "steering" to a training's parameters: the changes that its events tell of, as a spec lists
/// them. Nothing if it was not steered.
void addSteering(RunFacts& facts, std::span<const EventRow> events);

/// False for parameters that leave values as they are: threads, memory, what is kept, the seed.
bool changesValues(std::string_view parameter);

/// One field of several runs side by side.
struct ConfigRow {
    std::string field;
    std::string meaning;              ///< one sentence or a few words; empty if unknown
    std::vector<std::string> values;  ///< [run] empty where a run has none
    bool differs = false;
    bool isIgnorable = false;  ///< it leaves values as they are
};

/// The configuration of runs in the order of the spec: parameters, then seed, the world's hash and
/// the code's version.
/// @param facts  [run] parallel to `runs`
std::vector<ConfigRow> configRows(std::span<const RunRecord> runs, std::span<const RunFacts> facts);

}  // namespace orrery
