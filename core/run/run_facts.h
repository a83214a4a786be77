#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/history/records.h"

namespace orrery {

/// Something that is known about a run under a key: "beta_r", "v_r".
struct RunFact {
    std::string key;
    std::string text;              ///< as the spec's file writes it: "5.0", "inf", "none"
    std::optional<double> number;  ///< of numbers and truth values
};

/// A stored run's parameters and results, as far as they are there.
struct RunFacts {
    std::string run;        ///< id
    std::string job;        ///< "solve", "train", "import"; empty if the spec cannot be read
    std::string worldName;  ///< by its result, else by the name of its file
    /// Fields of the job, in the spec's order, without the world; then "seed" of what was carried
    /// out. Those of other kinds than the first begin with "job".
    std::vector<RunFact> parameters;
    /// Of a solve: v_r, u_r, x_h (x_h_2, ... for further humans) of the start state; states,
    /// levels, seconds (of both phases), explore_seconds. Of a training: steps,
    /// train_seconds, and error_v_h_e and error_pi_r against the exact solution where there is one.
    std::vector<RunFact> results;

    const RunFact* find(std::string_view key) const;  ///< null if there is none
    /// Of a solve: exploring and solving. Of a training: what it trained, from its start on and
    /// without pauses. Nothing: not known.
    std::optional<double> workSeconds() const;
};

/// Reads a run's facts. A spec or a result that cannot be read gives none; nothing is thrown.
/// About 50 us where the result's file is in memory. Any thread.
RunFacts readRunFacts(const std::filesystem::path& workspaceFolder, const RunRecord& run);

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
