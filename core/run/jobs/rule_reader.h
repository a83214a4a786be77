#pragma once

#include <string>
#include <vector>

#include "core/files/value_reader.h"
#include "core/files/yaml_tree.h"
#include "core/run/run_spec.h"
#include "core/solve/spec.h"

namespace orrery {

/// Reads the lists of rules that a spec's table (solve/spec_fields.h) writes. What is wrong goes to
/// the reader's diagnostics, and the rules are then incomplete.
class RuleReader {
public:
    /// @param places receives where each rule and each of its members stands:
    ///        "habits[2].probability"
    RuleReader(ValueReader& values, SpecPlaces& places) : m_values(values), m_places(places) {}

    /// "uniform" is the empty list.
    std::vector<BelievedOthersRule> believedOthers(const YamlNode& node);
    std::vector<HabitRule> habits(const YamlNode& node);

private:
    template <typename Rule>
    std::vector<Rule> list(const YamlNode& node, const std::string& name,
                           const std::vector<std::string>& members,
                           void (RuleReader::*read)(const YamlMember&, const std::string&, Rule&));
    template <typename Rule>
    bool condition(const YamlMember& member, const std::string& place, Rule& rule);
    void member(const YamlMember& member, const std::string& place, BelievedOthersRule& rule);
    void member(const YamlMember& member, const std::string& place, HabitRule& rule);
    void agents(const YamlNode& node, const std::string& name, BelievedOthersRule& rule);
    void profiles(const YamlNode& node, const std::string& name, BelievedOthersRule& rule);
    BelievedOthersRule::JointProfile profile(const YamlNode& node, const std::string& name);
    std::vector<double> probabilities(const YamlNode& node, const std::string& name);
    std::vector<std::string> texts(const YamlNode& node, const std::string& name);
    void text(const YamlNode& node, const std::string& name, std::string& target);

    ValueReader& m_values;
    SpecPlaces& m_places;
};

}  // namespace orrery
