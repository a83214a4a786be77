#pragma once

#include <string>
#include <vector>

#include "core/files/value_reader.h"
#include "core/files/yaml_tree.h"
#include "core/solve/spec.h"

namespace orrery {

/// Adds the error that a member is none of the known ones, with the nearest of them.
void refuseMember(const YamlMember& member, const std::string& place,
                  const std::vector<std::string>& known, Diagnostics& out);

/// Read the lists that rulesJson writes; "uniform" is the empty list of beliefs. What is wrong goes
/// to the reader's diagnostics, and the rules are then incomplete.
std::vector<BelievedOthersRule> readBelievedOthers(const YamlNode& node, ValueReader& values);
std::vector<HabitRule> readHabits(const YamlNode& node, ValueReader& values);

}  // namespace orrery
