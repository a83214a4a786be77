#include "core/run/jobs/rule_reader.h"

#include <algorithm>

#include "core/run/spec_reader.h"

namespace orrery {

std::vector<double> RuleReader::probabilities(const YamlNode& node, const std::string& name) {
    std::vector<double> list;
    if (!m_values.expect(node, name, YamlNode::Kind::Sequence)) return list;
    for (std::size_t i = 0; i < node.elements.size(); ++i)
        if (const auto p =
                m_values.number(node.elements[i], name + "[" + std::to_string(i) + "]", 0, 1))
            list.push_back(*p);
    return list;
}

void RuleReader::text(const YamlNode& node, const std::string& name, std::string& target) {
    if (auto text = m_values.text(node, name)) target = std::move(*text);
}

std::vector<std::string> RuleReader::texts(const YamlNode& node, const std::string& name) {
    std::vector<std::string> list;
    if (!m_values.expect(node, name, YamlNode::Kind::Sequence)) return list;
    for (const YamlNode& element : node.elements)
        if (auto text = m_values.text(element, name)) list.push_back(std::move(*text));
    return list;
}

BelievedOthersRule::JointProfile RuleReader::profile(const YamlNode& node,
                                                     const std::string& name) {
    BelievedOthersRule::JointProfile result;
    if (!m_values.expect(node, name, YamlNode::Kind::Map)) return result;
    bool hasProbability = false;
    for (const YamlMember& member : node.members) {
        const std::string place = name + "." + member.name;
        m_places[place] = member.value.place();
        if (member.name == "probability") {
            hasProbability = true;
            result.probability = m_values.number(member.value, place, 0, 1).value_or(0);
        } else if (member.name == "actions") {
            result.actions = texts(member.value, place);
        } else {
            refuseMember(member, name, {"probability", "actions"}, m_values.diagnostics());
        }
    }
    if (!hasProbability || result.actions.empty())
        m_values.diagnostics().error(node.place(), "E117",
                                     "'" + name + "' needs 'probability' and 'actions'");
    return result;
}

void RuleReader::agents(const YamlNode& node, const std::string& name, BelievedOthersRule& rule) {
    if (!m_values.expect(node, name, YamlNode::Kind::Map)) return;
    for (const YamlMember& member : node.members) {
        const std::string place = name + "." + member.name;
        m_places[place] = member.value.place();
        rule.agents.push_back({member.name, probabilities(member.value, place)});
    }
}

void RuleReader::profiles(const YamlNode& node, const std::string& name, BelievedOthersRule& rule) {
    if (!m_values.expect(node, name, YamlNode::Kind::Sequence)) return;
    for (std::size_t i = 0; i < node.elements.size(); ++i)
        rule.profiles.push_back(profile(node.elements[i], name + "[" + std::to_string(i) + "]"));
}

template <typename Rule>
bool RuleReader::condition(const YamlMember& member, const std::string& place, Rule& rule) {
    if (member.name != "when" && member.name != "human") return false;
    text(member.value, place, member.name == "when" ? rule.when : rule.human);
    return true;
}

void RuleReader::member(const YamlMember& member, const std::string& place,
                        BelievedOthersRule& rule) {
    if (condition(member, place, rule)) return;
    if (member.name == "own_action") text(member.value, place, rule.ownAction);
    if (member.name == "agents") agents(member.value, place, rule);
    if (member.name == "profiles") profiles(member.value, place, rule);
}

void RuleReader::member(const YamlMember& member, const std::string& place, HabitRule& rule) {
    if (!condition(member, place, rule)) rule.probability = probabilities(member.value, place);
}

template <typename Rule>
std::vector<Rule> RuleReader::list(const YamlNode& node, const std::string& name,
                                   const std::vector<std::string>& members,
                                   void (RuleReader::*read)(const YamlMember&, const std::string&,
                                                            Rule&)) {
    std::vector<Rule> rules;
    if (!m_values.expect(node, name, YamlNode::Kind::Sequence)) return rules;
    for (std::size_t i = 0; i < node.elements.size(); ++i) {
        const YamlNode& element = node.elements[i];
        const std::string rule = name + "[" + std::to_string(i) + "]";
        m_places[rule] = element.place();
        rules.emplace_back();
        if (!m_values.expect(element, rule, YamlNode::Kind::Map)) continue;
        for (const YamlMember& member : element.members) {
            if (std::ranges::count(members, member.name) == 0) {
                refuseMember(member, rule, members, m_values.diagnostics());
                continue;
            }
            const std::string place = rule + "." + member.name;
            m_places[place] = member.value.place();
            (this->*read)(member, place, rules.back());
        }
    }
    return rules;
}

std::vector<BelievedOthersRule> RuleReader::believedOthers(const YamlNode& node) {
    if (node.kind == YamlNode::Kind::Scalar && node.text == "uniform") return {};
    return list<BelievedOthersRule>(node, "believed_others",
                                    {"when", "human", "own_action", "agents", "profiles"},
                                    &RuleReader::member);
}

std::vector<HabitRule> RuleReader::habits(const YamlNode& node) {
    return list<HabitRule>(node, "habits", {"when", "human", "probability"}, &RuleReader::member);
}

}  // namespace orrery
