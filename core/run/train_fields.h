#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/run_spec.h"
#include "core/spec/spec_table.h"

namespace orrery {

/// The fields of a TrainJob, those of its EmpoSpec included.
const SpecTable<TrainJob>& trainJobFields();

/// What validate() says about a training, beyond the ranges of single fields.
std::vector<SpecProblem> trainProblems(const TrainJob& job);

/// A name that the seeds use for what other fields say together: "use_lookup_tables", which makes
/// tables of all quantities that are learned.
struct TrainAlias {
    std::string name;
    std::string meaning;
};
const std::vector<TrainAlias>& trainAliases();

/// Carries out what aliases say, whatever their order: what is not learned is computed, and of the
/// others those are tables of which nothing says that they are not.
void applyAliases(const std::map<std::string, bool, std::less<>>& given, EmpoSpec& spec);

}  // namespace orrery
