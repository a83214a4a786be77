#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/diagnostic.h"
#include "core/run/job.h"
#include "core/run/world_ref.h"
#include "core/spec/problem.h"

namespace orrery {

/// All that defines a run: the same spec and the same world text give the same values.
struct RunSpec {
    std::string name = {};   ///< for people; need not be unique
    std::string note = {};   ///< free text
    std::uint64_t seed = 0;  ///< in [0, 2^63)
    Job job = {};

    bool operator==(const RunSpec&) const = default;
};

/// Every problem that can be seen without reading the world, each with its field: the name in the
/// table of run_fields.h, or "believed_others[0].when". Empty if the run can be started.
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

/// Reads only the fields of type Rules, from a file with these keys, into the job.
/// @param places receives where the rules stand, if given
/// @return the problems; the job is unchanged if there is an error among them
std::vector<Diagnostic> readRules(std::string_view text, const std::string& file, Job& job,
                                  SpecPlaces* places = nullptr);

/// Reads a spec that must be right, such as a stored run's. Fields that JSON does not have mean
/// what they were before they came (RunKind::formerValues).
/// @throws Error (BadInput) with the first diagnostic
RunSpec runSpecFromJson(std::string_view text, const std::string& file);

/// The worlds that a job works on, in their order; empty: it has none.
std::vector<WorldRef> worldRefs(const Job& job);

/// "maze.yaml", or all of them between commas.
std::string worldName(const Job& job);

/// The same from a stored spec's JSON, whatever it is; empty if it names none.
std::string worldNameOf(std::string_view configJson);
/// The same where it is parsed already.
std::string worldNameIn(const nlohmann::ordered_json& spec);

}  // namespace orrery
