#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/run_spec.h"
#include "core/run/spec_field.h"

namespace orrery {

/// As people write it: "V_h^e".
std::string symbolOf(Quantity quantity);

/// Fields whose values are lists: probabilities of actions, "0.06,0.18,0.18,0.58", and `changes`,
/// "2000 lr_q_r=0.0005" for each.
SpecField probabilitiesField(std::string name, std::string label, std::string meaning,
                             std::vector<double> EmpoSpec::*member);
SpecField changesField();

/// Of the humans' policies, of discount factors that rise, and of exploring.
std::vector<SpecField> humanPriorFields();
std::vector<SpecField> curriculumFields();
std::vector<SpecField> explorationFields();

/// What validate() says about a training, beyond the ranges of single fields.
std::vector<SpecProblem> trainProblems(const TrainJob& job);

/// True for fields on which the shape of networks, tables or stored states depends: with another
/// value a checkpoint cannot be gone on with.
bool isStructural(std::string_view field);

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
