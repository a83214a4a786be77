#include "core/run/rule_reader.h"

#include "core/base/text.h"

namespace orrery {

namespace {

std::vector<double> probabilities(const YamlNode& node, const std::string& name,
                                  ValueReader& values) {
    std::vector<double> list;
    if (!values.expect(node, name, YamlNode::Kind::Sequence)) return list;
    for (std::size_t i = 0; i < node.elements.size(); ++i)
        if (const auto p =
                values.number(node.elements[i], name + "[" + std::to_string(i) + "]", 0, 1))
            list.push_back(*p);
    return list;
}

void readText(const YamlNode& node, const std::string& name, ValueReader& values,
              std::string& target) {
    if (auto text = values.text(node, name)) target = std::move(*text);
}

std::vector<std::string> texts(const YamlNode& node, const std::string& name, ValueReader& values) {
    std::vector<std::string> list;
    if (!values.expect(node, name, YamlNode::Kind::Sequence)) return list;
    for (const YamlNode& element : node.elements)
        if (auto text = values.text(element, name)) list.push_back(std::move(*text));
    return list;
}

BelievedOthersRule::JointProfile profile(const YamlNode& node, const std::string& name,
                                         ValueReader& values) {
    BelievedOthersRule::JointProfile result;
    if (!values.expect(node, name, YamlNode::Kind::Map)) return result;
    bool hasProbability = false;
    for (const YamlMember& member : node.members) {
        const std::string place = name + "." + member.name;
        if (member.name == "probability") {
            hasProbability = true;
            result.probability = values.number(member.value, place, 0, 1).value_or(0);
        } else if (member.name == "actions") {
            result.actions = texts(member.value, place, values);
        } else {
            refuseMember(member, name, {"probability", "actions"}, values.diagnostics());
        }
    }
    if (!hasProbability || result.actions.empty())
        values.diagnostics().error(node.place(), "E117",
                                   "'" + name + "' needs 'probability' and 'actions'");
    return result;
}

void readAgents(const YamlNode& node, const std::string& name, ValueReader& values,
                BelievedOthersRule& rule) {
    if (!values.expect(node, name, YamlNode::Kind::Map)) return;
    for (const YamlMember& member : node.members)
        rule.agents.push_back(
            {member.name, probabilities(member.value, name + "." + member.name, values)});
}

void readProfiles(const YamlNode& node, const std::string& name, ValueReader& values,
                  BelievedOthersRule& rule) {
    if (!values.expect(node, name, YamlNode::Kind::Sequence)) return;
    for (std::size_t i = 0; i < node.elements.size(); ++i)
        rule.profiles.push_back(
            profile(node.elements[i], name + "[" + std::to_string(i) + "]", values));
}

BelievedOthersRule believedRule(const YamlNode& node, const std::string& name,
                                ValueReader& values) {
    BelievedOthersRule rule;
    if (!values.expect(node, name, YamlNode::Kind::Map)) return rule;
    for (const YamlMember& member : node.members) {
        const std::string place = name + "." + member.name;
        if (member.name == "when")
            readText(member.value, place, values, rule.when);
        else if (member.name == "human")
            readText(member.value, place, values, rule.human);
        else if (member.name == "own_action")
            readText(member.value, place, values, rule.ownAction);
        else if (member.name == "agents")
            readAgents(member.value, place, values, rule);
        else if (member.name == "profiles")
            readProfiles(member.value, place, values, rule);
        else
            refuseMember(member, name, {"when", "human", "own_action", "agents", "profiles"},
                         values.diagnostics());
    }
    return rule;
}

HabitRule habitRule(const YamlNode& node, const std::string& name, ValueReader& values) {
    HabitRule rule;
    if (!values.expect(node, name, YamlNode::Kind::Map)) return rule;
    for (const YamlMember& member : node.members) {
        const std::string place = name + "." + member.name;
        if (member.name == "when")
            readText(member.value, place, values, rule.when);
        else if (member.name == "human")
            readText(member.value, place, values, rule.human);
        else if (member.name == "probability")
            rule.probability = probabilities(member.value, place, values);
        else
            refuseMember(member, name, {"when", "human", "probability"}, values.diagnostics());
    }
    return rule;
}

template <typename Rule>
std::vector<Rule> readList(const YamlNode& node, const std::string& name, ValueReader& values,
                           Rule (*readOne)(const YamlNode&, const std::string&, ValueReader&)) {
    std::vector<Rule> rules;
    if (!values.expect(node, name, YamlNode::Kind::Sequence)) return rules;
    for (std::size_t i = 0; i < node.elements.size(); ++i)
        rules.push_back(readOne(node.elements[i], name + "[" + std::to_string(i) + "]", values));
    return rules;
}

}  // namespace

void refuseMember(const YamlMember& member, const std::string& place,
                  const std::vector<std::string>& known, Diagnostics& out) {
    const auto nearest = closestName(member.name, known);
    std::string all;
    for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
    out.error(member.place(), "E112",
              (place.empty() ? "" : "in '" + place + "': ") + "no field is called " +
                  quotedValue(member.name),
              nearest ? "did you mean '" + *nearest + "'?" : "write one of " + all);
}

std::vector<BelievedOthersRule> readBelievedOthers(const YamlNode& node, ValueReader& values) {
    if (node.kind == YamlNode::Kind::Scalar && node.text == "uniform") return {};
    return readList<BelievedOthersRule>(node, "believed_others", values, believedRule);
}

std::vector<HabitRule> readHabits(const YamlNode& node, ValueReader& values) {
    return readList<HabitRule>(node, "habits", values, habitRule);
}

}  // namespace orrery
