#include "core/files/world_reader.h"

#include <algorithm>
#include <iterator>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/world_format.h"
#include "core/world/world_family.h"

namespace orrery {

namespace {

/// The families whose worlds can be read.
std::vector<const WorldFamily*> readFamilies() {
    std::vector<const WorldFamily*> families;
    std::ranges::copy_if(worldFamilies(), std::back_inserter(families),
                         [](const WorldFamily* family) { return family->format != nullptr; });
    if (families.empty()) throw Error("This program knows no family of worlds.");
    return families;
}

/// Names of the keys that a file of this family may have.
std::vector<std::string> topKeys(const WorldFormat& format) {
    std::vector<std::string> names;
    for (const WorldFileKey& key : format.keys)
        if (!key.isMember()) names.emplace_back(key.name);
    return names;
}

}  // namespace

WorldReader::WorldReader(const YamlNode& root, const LineIndex& lines, ByteRange mapLines,
                         Diagnostics& out, const WorldReadOptions& options)
    : m_root(root),
      m_mapLines(mapLines),
      m_out(out),
      m_options(options),
      m_values(out),
      m_map(m_values, lines) {}

WorldSpec WorldReader::read() {
    if (m_root.kind != YamlNode::Kind::Map) {
        m_out.error(m_root.place(), "E114",
                    std::string("a world file is a map of keys, got ") + kindName(m_root.kind),
                    "write `map: |` and the rows below it, indented");
        return std::move(m_spec);
    }
    const WorldFamily& family = familyOfFile();
    m_format = family.format;
    m_spec = m_format->standard();
    checkKeys();
    readMap();
    // Who is human decides the agents' names, which other keys use.
    if (m_hasMap) nameAgents();
    for (const WorldFileKey& key : m_format->keys)
        if (key.isFirst) readKey(key);
    if (m_hasMap) nameAgents();
    for (const WorldFileKey& key : m_format->keys)
        if (!key.isFirst) readKey(key);
    // With these wrong the check would complain of what follows from their errors.
    const bool canCheck = std::ranges::none_of(m_format->keys, [this](const WorldFileKey& key) {
        return key.isFirst && m_failed.contains(key.name);
    });
    if (m_hasMap && canCheck) check();
    return std::move(m_spec);
}

const WorldFamily& WorldReader::familyOfFile() {
    const std::vector<const WorldFamily*> families = readFamilies();
    if (const YamlMember* family = m_root.find("family")) {
        std::vector<std::string> names;
        names.reserve(families.size());
        for (const WorldFamily* known : families) names.emplace_back(known->name);
        return *families[m_values.choice(family->value, "family", names).value_or(0)];
    }
    for (const WorldFamily* family : families)
        for (const std::string_view key : family->format->telling)
            if (m_root.find(key) != nullptr) return *family;
    return *families.front();
}

void WorldReader::checkKeys() {
    const std::vector<std::string> known = topKeys(*m_format);
    for (const YamlMember& member : m_root.members) {
        if (std::ranges::find(known, member.name) != known.end()) continue;
        const WorldFileKey* const other = worldFileKey(member.name);
        if (other != nullptr && !other->isMember())
            refuseKey(member, "a " + std::string(m_spec.family().name) + " world has no key", {});
        else
            refuseKey(member, "unknown key", known);
    }
}

void WorldReader::refuseKey(const YamlMember& member, const std::string& what,
                            const std::vector<std::string>& known) {
    const std::optional<std::string> near = closestName(member.name, known);
    std::string hint = near ? "did you mean '" + *near + "'?" : "remove it";
    const std::string text = what + " " + quotedValue(member.name);
    if (m_options.lenient)
        m_out.warning(member.place(), "W111", text, near ? std::move(hint) : "it has no effect");
    else
        m_out.error(member.place(), "E111", text, std::move(hint));
}

void WorldReader::readKey(const WorldFileKey& key) {
    const YamlMember* member = key.read == nullptr ? nullptr : m_root.find(key.name);
    if (member == nullptr) return;
    const int errors = m_out.numErrors();
    if (hasValue(*member)) key.read(*this, member->value, key);
    if (m_out.numErrors() > errors) m_failed.insert(key.name);
}

bool WorldReader::hasValue(const YamlMember& member) {
    if (member.value.kind != YamlNode::Kind::Null) return true;
    m_out.error(member.place(), "E114", "'" + member.name + "' has no value",
                "write one or remove the key");
    return false;
}

void WorldReader::readMap() {
    const YamlMember* map = m_root.find("map");
    if (map == nullptr) {
        m_out.error(m_root.place(), "E112", "the key 'map' is missing",
                    "write `map: |` and the rows below it, indented");
        return;
    }
    if (!hasValue(*map)) return;
    const bool found = m_mapLines.begin < m_mapLines.end ? m_map.takeRows(map->value, m_mapLines)
                                                         : m_map.findRows(map->value);
    m_hasMap = found && m_format->readMap(*this, m_map);
}

void WorldReader::nameAgents() {
    m_agents.clear();
    int counts[3] = {0, 0, 0};
    for (const AgentRole role : m_format->roles(m_spec, kMostAgents)) {
        constexpr const char* kPrefixes[] = {"human", "robot", "agent"};
        const auto index = static_cast<std::size_t>(role);
        m_agents.push_back(kPrefixes[index] + std::to_string(counts[index]++));
    }
}

MapSize WorldReader::mapSize() const {
    return m_hasMap ? m_format->mapSize(m_spec) : MapSize{};
}

void WorldReader::check() {
    for (SpecProblem& problem : validate(m_spec)) {
        if (problem.field == "own_goals") problem.field = "human_goals";
        if (m_failed.contains(problem.field)) continue;
        const Diagnostics::Place place = placeOf(problem);
        const std::string text = problem.field + ": " + problem.text;
        if (problem.isWarning)
            m_out.warning(place, "W230", text);
        else
            m_out.error(place, "E130", text);
    }
}

Diagnostics::Place WorldReader::placeOf(const SpecProblem& problem) const {
    const YamlMember* member = m_root.find(problem.field);
    if (member == nullptr && problem.field == "goal_weights") {
        member = m_root.find("possible_goals");
        if (member == nullptr) member = m_root.find("human_goals");
    }
    if (member == nullptr) return m_root.find("map")->place();
    if (problem.field == "map") return m_map.place(problem.row, problem.column);
    const YamlNode* node = &member->value;
    Diagnostics::Place place = node->place();
    for (const int index : {problem.row, problem.column}) {
        if (index < 0) break;
        const auto i = static_cast<std::size_t>(index);
        if (i < node->elements.size()) {
            node = &node->elements[i];
            place = node->place();
        } else if (i < node->members.size()) {
            place = node->members[i].place();
            node = &node->members[i].value;
        } else {
            break;
        }
    }
    return place;
}

bool WorldReader::isListForAgents(const YamlNode& value, const WorldFileKey& key) {
    if (!m_values.expect(value, key.name, YamlNode::Kind::Sequence)) return false;
    const std::size_t most = m_agents.empty() ? kMostAgents : m_agents.size();
    if (value.elements.size() <= most) return true;
    m_out.error(value.elements[most].place(), "E117",
                "'" + std::string(key.name) + "' has " + std::to_string(value.elements.size()) +
                    " elements, but the map has " + std::to_string(m_agents.size()) + " agents",
                "give at most one for each agent");
    return false;
}

std::optional<int> WorldReader::agentNamed(const YamlMember& member) {
    if (!m_hasMap) return std::nullopt;
    const auto named = std::ranges::find(m_agents, member.name);
    if (named != m_agents.end()) return static_cast<int>(named - m_agents.begin());
    const std::optional<std::int64_t> index = parseInt(member.name);
    if (index && *index >= 0 && *index < std::ssize(m_agents)) return static_cast<int>(*index);
    const std::optional<std::string> near = closestName(member.name, m_agents);
    m_out.error(member.place(), "E121", "the map has no agent " + quotedValue(member.name),
                near ? "did you mean '" + *near + "'?"
                     : "it has " + std::to_string(m_agents.size()) + " agents, the first is 0");
    return std::nullopt;
}

}  // namespace orrery
