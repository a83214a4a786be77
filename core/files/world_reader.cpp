#include "core/files/world_reader.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace orrery {

namespace {

/// Names of the keys that a file of this family may have.
std::vector<std::string> topKeys(bool isBush) {
    std::vector<std::string> names;
    for (const WorldFileKey& key : worldFileKeys())
        if ((isBush ? key.inBush : key.inGrid) &&
            std::string_view(key.name).find('.') == std::string_view::npos)
            names.emplace_back(key.name);
    return names;
}

bool isColorLetter(char c) {
    return std::string_view("rgbpye").find(c) != std::string_view::npos;
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
        return takeSpec();
    }
    m_isBush = isBushFile();
    checkKeys();
    readMap();
    // Who is human decides the agents' names, which other keys use.
    const auto isRoleKey = [](const Binding& binding) {
        return std::string_view(binding.key).ends_with("_agents");
    };
    if (m_hasMap) nameAgents();
    for (const Binding& binding : bindings())
        if (isRoleKey(binding)) readKey(binding);
    if (m_hasMap) nameAgents();
    for (const Binding& binding : bindings())
        if (!isRoleKey(binding)) readKey(binding);
    // With these wrong the check would complain of what follows from their errors.
    const bool canCheck = !m_failed.contains("B") && !m_failed.contains("human_agents") &&
                          !m_failed.contains("robot_agents");
    WorldSpec spec = takeSpec();
    if (m_hasMap && canCheck) check(spec);
    return spec;
}

WorldSpec WorldReader::takeSpec() {
    if (m_isBush) return std::move(m_bush);
    return std::move(m_grid);
}

bool WorldReader::isBushFile() {
    if (const YamlMember* family = m_root.find("family")) {
        static const std::array<std::string, 2> kFamilies{"grid", "bush"};
        return m_values.choice(family->value, "family", kFamilies) == 1;
    }
    return m_root.find("B") != nullptr || m_root.find("fill_density") != nullptr;
}

void WorldReader::checkKeys() {
    const std::vector<std::string> known = topKeys(m_isBush);
    for (const YamlMember& member : m_root.members) {
        if (std::ranges::find(known, member.name) != known.end()) continue;
        const bool isOfOther =
            worldFileKey(member.name) != nullptr && member.name.find('.') == std::string::npos;
        if (isOfOther)
            refuseKey(member, m_isBush ? "a bush world has no key" : "a grid world has no key", {});
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

void WorldReader::readKey(const Binding& binding) {
    const WorldFileKey& key = *worldFileKey(binding.key);
    const YamlMember* member = m_root.find(binding.key);
    if (member == nullptr || !(m_isBush ? key.inBush : key.inGrid)) return;
    const int errors = m_out.numErrors();
    if (hasValue(*member)) (this->*binding.read)(member->value, key);
    if (m_out.numErrors() > errors) m_failed.insert(binding.key);
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
    if (!found) return;
    if (m_isBush) {
        auto rows = m_map.bushRows();
        m_hasMap = rows.has_value();
        if (rows) m_bush.map = std::move(*rows);
    } else {
        auto rows = m_map.gridRows();
        m_hasMap = rows.has_value();
        if (rows) m_grid.map = std::move(*rows);
    }
}

void WorldReader::nameAgents() {
    m_agents.clear();
    int counts[3] = {0, 0, 0};  // human, robot, other
    const auto add = [&](int role) {
        constexpr const char* kPrefixes[] = {"human", "robot", "agent"};
        if (m_agents.size() < kMostAgents)
            m_agents.push_back(kPrefixes[role] + std::to_string(counts[role]++));
    };
    if (m_isBush) {
        for (const auto& [text, role] : {std::pair{"Ro", 1}, std::pair{"Hu", 0}})
            for (const auto& row : m_bush.map)
                for (std::ptrdiff_t n = std::ranges::count(row, text); n > 0; --n) add(role);
        return;
    }
    const auto isListed = [&](const std::optional<std::vector<int>>& list, bool byColor) {
        return list ? std::ranges::count(*list, static_cast<int>(m_agents.size())) > 0 : byColor;
    };
    for (const std::string& row : m_grid.map)
        for (std::size_t i = 0; i + 1 < row.size(); i += 2)
            if (row[i] == 'A' && isColorLetter(row[i + 1]))
                add(isListed(m_grid.humanAgents, row[i + 1] == 'y')   ? 0
                    : isListed(m_grid.robotAgents, row[i + 1] == 'e') ? 1
                                                                      : 2);
}

void WorldReader::check(const WorldSpec& spec) {
    for (SpecProblem& problem : validate(spec)) {
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

}  // namespace orrery
