#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/empo/spec.h"
#include "core/files/diagnostic.h"
#include "core/solve/spec.h"
#include "core/train/steering.h"
#include "core/world/grid_spec.h"

namespace orrery {

/// Exact planning: a world's state graph and both phases solved on it.
struct SolveJob {
    /// Path of a world file, or "builtin:NAME" for a world of resources/worlds.
    std::string world = {};
    /// The text of the world file where it is not to be read from `world`, which is then the name
    /// in messages: an edited world that has no file yet, or a stored run's own copy.
    std::optional<std::string> worldText = {};
    bool lenient = false;    ///< unknown keys of the world file are warnings
    bool unrolled = false;   ///< explore (step, configuration) pairs even if folding is possible
    SolveSpec solve = {};    ///< its seed is that of the run
    bool saveValues = true;  ///< write solution.bin, so that the run can be reopened
    /// Episodes sampled from the solved policies with the run's seed, each with its metrics.
    std::int64_t episodes = 0;
    bool saveGraph = true;  ///< keep the graph in the workspace, for other solves of this world

    bool operator==(const SolveJob&) const = default;
};

/// Learned planning: phase 2 learned from sampled steps, in one world or several at once.
struct TrainJob {
    /// Paths of world files, or "builtin:NAME"; at least one.
    std::vector<std::string> worlds = {};
    /// [worlds] as SolveJob::worldText; empty: all are read.
    std::vector<std::string> worldTexts = {};
    bool lenient = false;
    EmpoSpec empo = {};        ///< its seed is that of the run
    StopConditions stop = {};  ///< beside the spec's number of steps
    /// Made while the run trains, ascending by step: how a steered run is repeated.
    std::vector<TrainChange> changes = {};
    /// Worlds with at most so many states are solved exactly first: for the humans' policies and to
    /// measure the error of what is learned. 0: none is.
    std::int64_t exactStates = 200'000;
    std::string fromRun = {};  ///< id of the run whose checkpoint this one begins with; empty: none
    std::int64_t fromStep = 0;  ///< of that checkpoint
    /// The curve that says which checkpoint is the best, less is better; empty: see measureOf().
    std::string bestMetric = {};
    std::string tensorBoardFolder = {};  ///< curves are mirrored below it; empty: they are not

    bool operator==(const TrainJob&) const = default;
};

/// What a run may do: one alternative a system, in the order of jobKinds().
using Job = std::variant<SolveJob, TrainJob>;

/// All that defines a run: the same spec and the same world text give the same values.
struct RunSpec {
    std::string name = {};   ///< for people; need not be unique
    std::string note = {};   ///< free text
    std::uint64_t seed = 0;  ///< in [0, 2^63)
    Job job = {};

    bool operator==(const RunSpec&) const = default;
};

/// Names of the alternatives of Job, as files and the database write them: "solve",
/// "train".
const std::vector<std::string>& jobKinds();
const std::string& jobKind(const Job& job);

/// The spec's solve.
/// @param what  of whom the spec is: "run.json", for the message
/// @throws Error (BadInput) if it is of another job
const SolveJob& requireSolve(const RunSpec& spec, const std::string& what);

/// The job of a stored spec by its JSON, whatever it is; empty if it names none.
std::string jobKindOf(std::string_view configJson);

/// Every problem that can be seen without reading the world, each with its field: the name in the
/// table of spec_field.h, or "believed_others[0].when". Empty if the run can be started.
std::vector<SpecProblem> validate(const RunSpec& spec);

/// The effective spec, every field written out. Reading it back gives an equal spec.
std::string toJson(const RunSpec& spec, int indent = 2);

/// Where the fields of a spec stand in its file: "beta_h", "habits[2].probability".
using SpecPlaces = std::map<std::string, Diagnostics::Place, std::less<>>;

/// The place of a field, else of what it is part of; nothing if that is not in the file either.
std::optional<Diagnostics::Place> placeOf(const SpecPlaces& places, const std::string& field);

struct RunSpecReading {
    std::optional<RunSpec> spec;  ///< set if no diagnostic is an error
    std::vector<Diagnostic> diagnostics;
    SpecPlaces places;
};

/// Reads a spec from YAML or JSON and validates it; all problems are reported at once, each at its
/// place. Format: resources/specs/README.md. A relative `world` stays as written.
/// @param file name for the diagnostics
RunSpecReading readRunSpec(std::string_view text, const std::string& file);

/// Reads a spec that must be right, such as a stored run's.
/// @throws Error (BadInput) with the first diagnostic
RunSpec runSpecFromJson(std::string_view text, const std::string& file);

/// Reads only believed_others and habits, from a file with these keys, into the job.
/// @param places receives where the rules stand, if given
/// @return the problems; the job is unchanged if there is an error among them
std::vector<Diagnostic> readRules(std::string_view text, const std::string& file, SolveJob& job,
                                  SpecPlaces* places = nullptr);

/// The world file of a job and where it is from.
struct WorldSource {
    std::string name;  ///< for messages: the path or "builtin:NAME"
    std::string text;
};

/// Reads the job's world file, or takes its worldText.
/// @throws Error (BadInput, Resource) if there is no such file or built-in world
WorldSource worldSource(const SolveJob& job);

/// The same for each world of a job.
std::vector<WorldSource> worldSources(const Job& job);

/// Whether unknown keys of its world files are warnings.
bool isLenient(const Job& job);

/// The content hash of a world, or of several in their order.
std::string worldHashOf(const std::vector<std::string>& hashes);

/// "maze.yaml", or all of them between commas.
std::string worldName(const Job& job);

/// The same from a stored spec's JSON, whatever it is; empty if it names none.
std::string worldNameOf(std::string_view configJson);

}  // namespace orrery
