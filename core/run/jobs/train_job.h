#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/empo/spec.h"
#include "core/run/run_fields.h"
#include "core/run/world_ref.h"
#include "core/spec/problem.h"
#include "core/spec/spec_alias.h"
#include "core/spec/spec_table.h"
#include "core/train/train_settings.h"

namespace orrery {

/// Learned planning: phase 2 learned from sampled steps, in one world or several at once.
struct TrainJob : TrainSettings {
    /// Paths of world files, or "builtin:NAME"; at least one.
    std::vector<std::string> worlds = {};
    /// [worlds] as WorldRef::text; empty: all are read.
    std::vector<std::string> worldTexts = {};
    bool lenient = false;  ///< as WorldRef::lenient, for all
    EmpoSpec empo = {};    ///< its seed is that of the run
    /// Worlds with at most so many states are solved exactly first: for the humans' policies and to
    /// measure the error of what is learned. 0: none is.
    std::int64_t exactStates = 200'000;

    bool operator==(const TrainJob&) const = default;
};

/// Default settings but for the worlds.
TrainJob trainingIn(std::vector<std::string> worlds);

/// The worlds, in their order.
std::vector<WorldRef> worldRefs(const TrainJob& job);

/// The fields of a TrainJob, those of its EmpoSpec included.
const SpecTable<TrainJob>& trainJobFields();

/// The same of specs.
std::span<const RunField> trainFields();

/// What is wrong with a training, beyond the ranges of single fields.
std::vector<SpecProblem> trainProblems(const TrainJob& job);

/// Names that the seeds use for what other fields say together: "use_lookup_tables", which makes
/// tables of all quantities that are learned.
std::span<const SpecAlias> trainAliases();

/// The job of a training by learned planning.
/// @param what  for the message: "r00004"
/// @throws Error (BadInput) if the spec has another
const TrainJob& requireTrainJob(const RunSpec& spec, const std::string& what);

/// Carries out what aliases say, whatever their order. What is not learned is computed. What is
/// learned is a network if any alias says so, else a table if any says that, else as it was.
void applyAliases(const std::map<std::string, bool, std::less<>>& given, EmpoSpec& spec);

}  // namespace orrery
