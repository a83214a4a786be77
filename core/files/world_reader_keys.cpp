#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/files/world_reader.h"

namespace orrery {

namespace {

const std::array<std::string, 5>& actionSetNames() {
    static const std::array<std::string, 5> kNames{
        actionSetName(ActionSet::Small), actionSetName(ActionSet::Object),
        actionSetName(ActionSet::All), actionSetName(ActionSet::Mine),
        actionSetName(ActionSet::Minimal)};
    return kNames;
}

std::string elementName(const WorldFileKey& key, std::size_t i) {
    return std::string(key.name) + "[" + std::to_string(i) + "]";
}

constexpr std::pair<std::string_view, double GridWorldSpec::*> kNumbers[] = {
    {"stumble_probability", &GridWorldSpec::stumbleProbability},
    {"magic_entry_probability", &GridWorldSpec::magicEntryProbability},
    {"solidify_probability", &GridWorldSpec::solidifyProbability},
    {"enter_bush_success_prob", &GridWorldSpec::enterBushSuccessProbability},
    {"duration_per_nonzero_action", &GridWorldSpec::durationPerNonzeroAction},
};

constexpr std::pair<std::string_view, int GridWorldSpec::*> kGridIntegers[] = {
    {"max_steps", &GridWorldSpec::maxSteps},
    {"seed", &GridWorldSpec::seed},
    {"agent_view_size", &GridWorldSpec::agentViewSize},
};

constexpr std::pair<std::string_view, int BushWorldSpec::*> kBushIntegers[] = {
    {"max_steps", &BushWorldSpec::maxSteps},
    {"B", &BushWorldSpec::capacity},
    {"fill_density", &BushWorldSpec::fillDensity},
};

constexpr std::pair<std::string_view, bool GridWorldSpec::*> kTruths[] = {
    {"partial_obs", &GridWorldSpec::partialObs},
    {"see_through_walls", &GridWorldSpec::seeThroughWalls},
    {"fix_magic_all", &GridWorldSpec::fixMagicAll},
};

constexpr std::pair<std::string_view, std::string WorldMetadata::*> kMetadata[] = {
    {"name", &WorldMetadata::name},       {"description", &WorldMetadata::description},
    {"author", &WorldMetadata::author},   {"version", &WorldMetadata::version},
    {"created", &WorldMetadata::created}, {"category", &WorldMetadata::category},
};

/// The member that a table names for a key.
template <class Table>
auto memberFor(const Table& table, std::string_view key) {
    return std::ranges::find_if(table, [key](const auto& row) { return row.first == key; })->second;
}

}  // namespace

std::span<const WorldReader::Binding> WorldReader::bindings() {
    using R = WorldReader;
    static constexpr Binding kBindings[] = {
        {"metadata", &R::readMetadata},
        {"width", &R::readSize},
        {"height", &R::readSize},
        {"grid_size", &R::readSize},
        {"B", &R::readInteger},
        {"fill_density", &R::readInteger},
        {"max_steps", &R::readInteger},
        {"orientations", &R::readOrientations},
        {"action_class", &R::readActionClass},
        {"action_sets", &R::readActionSets},
        {"human_agents", &R::readAgentList},
        {"robot_agents", &R::readAgentList},
        {"can_push_rocks", &R::readPushers},
        {"can_enter_magic_walls", &R::readMagicEnterers},
        {"stumble_probability", &R::readNumber},
        {"magic_entry_probability", &R::readNumber},
        {"solidify_probability", &R::readNumber},
        {"enter_bush_success_prob", &R::readNumber},
        {"duration_per_nonzero_action", &R::readNumber},
        {"possible_goals", &R::readPossibleGoals},
        {"goal_weights", &R::readGoalWeights},
        {"human_goals", &R::readHumanGoals},
        {"fix_magic_all", &R::readTruth},
        {"seed", &R::readInteger},
        {"partial_obs", &R::readTruth},
        {"agent_view_size", &R::readInteger},
        {"see_through_walls", &R::readTruth},
    };
    return kBindings;
}

void WorldReader::readNumber(const YamlNode& value, const WorldFileKey& key) {
    if (const auto number = m_values.number(value, key.name, key.low, key.high))
        m_grid.*memberFor(kNumbers, key.name) = *number;
}

void WorldReader::readInteger(const YamlNode& value, const WorldFileKey& key) {
    const auto number = m_values.integer(value, key.name, static_cast<std::int64_t>(key.low),
                                         static_cast<std::int64_t>(key.high));
    if (!number) return;
    if (m_isBush)
        m_bush.*memberFor(kBushIntegers, key.name) = static_cast<int>(*number);
    else
        m_grid.*memberFor(kGridIntegers, key.name) = static_cast<int>(*number);
}

void WorldReader::readTruth(const YamlNode& value, const WorldFileKey& key) {
    if (const auto truth = m_values.truth(value, key.name))
        m_grid.*memberFor(kTruths, key.name) = *truth;
}

void WorldReader::readMetadata(const YamlNode& value, const WorldFileKey& key) {
    if (!m_values.expect(value, key.name, YamlNode::Kind::Map)) return;
    WorldMetadata& metadata = m_isBush ? m_bush.metadata : m_grid.metadata;
    std::vector<std::string> known{"tags"};
    for (const auto& [name, member] : kMetadata) known.emplace_back(name);
    for (const YamlMember& member : value.members) {
        if (std::ranges::find(known, member.name) == known.end()) {
            refuseKey(member, "metadata has no key", known);
        } else if (member.value.kind == YamlNode::Kind::Null) {
            continue;
        } else if (member.name != "tags") {
            if (auto text = m_values.text(member.value, "metadata." + member.name))
                metadata.*memberFor(kMetadata, member.name) = std::move(*text);
        } else if (m_values.expect(member.value, "metadata.tags", YamlNode::Kind::Sequence)) {
            for (const YamlNode& tag : member.value.elements)
                if (auto text = m_values.text(tag, "metadata.tags"))
                    metadata.tags.push_back(std::move(*text));
        }
    }
}

void WorldReader::readSize(const YamlNode& value, const WorldFileKey& key) {
    if (!m_hasMap) return;
    const std::size_t height = m_grid.map.size();
    const std::size_t width = m_grid.map.front().size() / 2;
    const std::string_view name = key.name;
    if (name == "width") {
        checkSide(value, key, width, "columns");
    } else if (name == "height") {
        checkSide(value, key, height, "rows");
    } else if (value.kind != YamlNode::Kind::Sequence) {
        if (checkSide(value, key, width, "columns")) checkSide(value, key, height, "rows");
    } else if (value.elements.size() != 2) {
        m_values.wrong(value, key.name, "one number or [width, height]", "E117");
    } else {
        checkSide(value.elements[0], key, width, "columns");
        checkSide(value.elements[1], key, height, "rows");
    }
}

bool WorldReader::checkSide(const YamlNode& node, const WorldFileKey& key, std::size_t actual,
                            const char* what) {
    const auto size = m_values.integer(node, key.name, static_cast<std::int64_t>(key.low),
                                       static_cast<std::int64_t>(key.high));
    if (!size) return false;
    if (static_cast<std::size_t>(*size) == actual) return true;
    m_out.error(node.place(), "E120",
                "'" + std::string(key.name) + "' says " + std::to_string(*size) +
                    ", but the map has " + std::to_string(actual) + " " + what,
                "correct one of them");
    return false;
}

void WorldReader::readOrientations(const YamlNode& value, const WorldFileKey& key) {
    if (value.kind == YamlNode::Kind::Scalar) {
        addOrientation(value);
    } else if (isListForAgents(value, key)) {
        for (const YamlNode& each : value.elements) addOrientation(each);
    }
}

void WorldReader::addOrientation(const YamlNode& node) {
    constexpr std::string_view kLetters = "eswnESWN0123";
    if (node.kind == YamlNode::Kind::Scalar && node.text.size() == 1) {
        const std::size_t found = kLetters.find(node.text[0]);
        if (found != std::string_view::npos) {
            m_grid.orientations.push_back(static_cast<int>(found % 4));
            return;
        }
    }
    m_values.wrong(node, "orientations", "one of 0 1 2 3 or e s w n", "E116");
}

std::optional<ActionSet> WorldReader::actionSet(const YamlNode& node, std::string_view name) {
    const std::optional<std::size_t> index = m_values.choice(node, name, actionSetNames());
    if (!index) return std::nullopt;
    return static_cast<ActionSet>(*index);
}

void WorldReader::readActionClass(const YamlNode& value, const WorldFileKey& key) {
    m_grid.actionSet = actionSet(value, key.name);
}

void WorldReader::readActionSets(const YamlNode& value, const WorldFileKey& key) {
    auto& sets = m_grid.agentActionSets;
    if (value.kind == YamlNode::Kind::Map) {
        for (const YamlMember& member : value.members) {
            const std::optional<int> agent = agentNamed(member);
            const std::optional<ActionSet> set = actionSet(member.value, key.name);
            if (!agent || !set) continue;
            if (sets.size() <= static_cast<std::size_t>(*agent))
                sets.resize(static_cast<std::size_t>(*agent) + 1);
            sets[static_cast<std::size_t>(*agent)] = set;
        }
    } else if (isListForAgents(value, key)) {
        for (const YamlNode& each : value.elements)
            sets.push_back(each.kind == YamlNode::Kind::Null ? std::nullopt
                                                             : actionSet(each, key.name));
    }
}

void WorldReader::readAgentList(const YamlNode& value, const WorldFileKey& key) {
    if (!isListForAgents(value, key)) return;
    std::vector<int> agents;
    for (std::size_t i = 0; i < value.elements.size(); ++i)
        if (const auto agent = m_values.integer(value.elements[i], elementName(key, i),
                                                static_cast<std::int64_t>(key.low),
                                                static_cast<std::int64_t>(key.high)))
            agents.push_back(static_cast<int>(*agent));
    const bool isHumans = std::string_view(key.name) == "human_agents";
    (isHumans ? m_grid.humanAgents : m_grid.robotAgents) = std::move(agents);
}

void WorldReader::readPushers(const YamlNode& value, const WorldFileKey& key) {
    const std::optional<std::string> letters = m_values.text(value, key.name);
    if (!letters) return;
    if (letters->find_first_not_of("rgbpye") != std::string::npos)
        m_values.wrong(value, key.name, "colour letters out of r g b p y e", "E116");
    else
        m_grid.canPushRocks = *letters;
}

void WorldReader::readMagicEnterers(const YamlNode& value, const WorldFileKey& key) {
    if (value.kind == YamlNode::Kind::Scalar) {
        const std::optional<bool> all = m_values.truth(value, key.name);
        m_grid.canEnterMagicWalls.assign(m_agents.size(), all.value_or(false));
    } else if (isListForAgents(value, key)) {
        for (std::size_t i = 0; i < value.elements.size(); ++i)
            m_grid.canEnterMagicWalls.push_back(
                m_values.truth(value.elements[i], elementName(key, i)).value_or(false));
    }
}

void WorldReader::readPossibleGoals(const YamlNode& value, const WorldFileKey& key) {
    std::optional<ReadGoals> read = readGoals(m_values, value, key.name, mapSize());
    if (!read) return;
    (m_isBush ? m_bush.possibleGoals : m_grid.possibleGoals) = std::move(read->goals);
    (m_isBush ? m_bush.goalWeights : m_grid.goalWeights) = std::move(read->weights);
}

void WorldReader::readGoalWeights(const YamlNode& value, const WorldFileKey& key) {
    if (!m_values.expect(value, key.name, YamlNode::Kind::Sequence)) return;
    std::vector<double>& weights = m_isBush ? m_bush.goalWeights : m_grid.goalWeights;
    if (!weights.empty()) {
        m_out.error(value.place(), "E120", "the goals have weights of their own",
                    "remove them there or remove 'goal_weights'");
        return;
    }
    for (std::size_t i = 0; i < value.elements.size(); ++i)
        if (const auto weight =
                m_values.number(value.elements[i], elementName(key, i), key.low, key.high))
            weights.push_back(*weight);
}

void WorldReader::readHumanGoals(const YamlNode& value, const WorldFileKey& key) {
    if (!m_values.expect(value, key.name, YamlNode::Kind::Map)) return;
    std::vector<HumanGoals>& lists = m_isBush ? m_bush.ownGoals : m_grid.ownGoals;
    for (const YamlMember& member : value.members) {
        const std::optional<int> agent = agentNamed(member);
        std::optional<ReadGoals> read =
            readGoals(m_values, member.value, "goals of " + member.name, mapSize());
        if (!agent) continue;
        if (!m_agents[static_cast<std::size_t>(*agent)].starts_with("human"))
            m_out.error(member.place(), "E121",
                        "agent " + quotedValue(member.name) + " is not a human",
                        "only humans have goals");
        else if (std::ranges::find(lists, *agent, &HumanGoals::agent) != lists.end())
            m_out.error(member.place(), "E107",
                        "agent " + quotedValue(member.name) + " has two lists of goals",
                        "keep one");
        else if (read)
            lists.push_back({*agent, std::move(read->goals), std::move(read->weights)});
    }
}

/// True for a list that is not longer than there are agents. Where the map shows none, an unknown
/// cell may be one: that is reported, not the list.
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

MapSize WorldReader::mapSize() const {
    if (!m_hasMap) return {};
    if (m_isBush) return {m_bush.map.front().size(), m_bush.map.size()};
    return {m_grid.map.front().size() / 2, m_grid.map.size()};
}

/// The agent that a member's name means: an index or a name. Without a map every name will do.
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
