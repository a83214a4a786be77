#include "core/grid/grid_format.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/files/world_fields.h"
#include "core/files/world_format.h"
#include "core/grid/grid_layout.h"
#include "core/grid/grid_spec.h"

namespace orrery {

namespace {

constexpr double kMaxSide = 1e8;

const std::array<std::string, 5>& actionSetNames() {
    static const std::array<std::string, 5> kNames{
        actionSetName(ActionSet::Small), actionSetName(ActionSet::Object),
        actionSetName(ActionSet::All), actionSetName(ActionSet::Mine),
        actionSetName(ActionSet::Minimal)};
    return kNames;
}

bool checkSide(WorldReader& reader, const YamlNode& node, const WorldFileKey& key,
               std::size_t actual, const char* what) {
    const auto size = reader.values().integer(node, key.name, static_cast<std::int64_t>(key.low),
                                              static_cast<std::int64_t>(key.high));
    if (!size) return false;
    if (static_cast<std::size_t>(*size) == actual) return true;
    reader.values().diagnostics().error(node.place(), "E120",
                                        "'" + std::string(key.name) + "' says " +
                                            std::to_string(*size) + ", but the map has " +
                                            std::to_string(actual) + " " + what,
                                        "correct one of them");
    return false;
}

void readSize(WorldReader& reader, const YamlNode& value, const WorldFileKey& key) {
    if (!reader.hasMap()) return;
    const std::size_t height = reader.specAs<GridWorldSpec>().map.size();
    const std::size_t width = reader.specAs<GridWorldSpec>().map.front().size() / 2;
    const std::string_view name = key.name;
    if (name == "width") {
        checkSide(reader, value, key, width, "columns");
    } else if (name == "height") {
        checkSide(reader, value, key, height, "rows");
    } else if (value.kind != YamlNode::Kind::Sequence) {
        if (checkSide(reader, value, key, width, "columns"))
            checkSide(reader, value, key, height, "rows");
    } else if (value.elements.size() != 2) {
        reader.values().wrong(value, key.name, "one number or [width, height]", "E117");
    } else {
        checkSide(reader, value.elements[0], key, width, "columns");
        checkSide(reader, value.elements[1], key, height, "rows");
    }
}

void addOrientation(WorldReader& reader, const YamlNode& node) {
    constexpr std::string_view kLetters = "eswnESWN0123";
    if (node.kind == YamlNode::Kind::Scalar && node.text.size() == 1) {
        const std::size_t found = kLetters.find(node.text[0]);
        if (found != std::string_view::npos) {
            reader.specAs<GridWorldSpec>().orientations.push_back(static_cast<int>(found % 4));
            return;
        }
    }
    reader.values().wrong(node, "orientations", "one of 0 1 2 3 or e s w n", "E116");
}

void readOrientations(WorldReader& reader, const YamlNode& value, const WorldFileKey& key) {
    if (value.kind == YamlNode::Kind::Scalar) {
        addOrientation(reader, value);
    } else if (reader.isListForAgents(value, key)) {
        for (const YamlNode& each : value.elements) addOrientation(reader, each);
    }
}

std::optional<ActionSet> actionSet(WorldReader& reader, const YamlNode& node,
                                   std::string_view name) {
    const std::optional<std::size_t> index = reader.values().choice(node, name, actionSetNames());
    if (!index) return std::nullopt;
    return static_cast<ActionSet>(*index);
}

void readActionClass(WorldReader& reader, const YamlNode& value, const WorldFileKey& key) {
    reader.specAs<GridWorldSpec>().actionSet = actionSet(reader, value, key.name);
}

void readActionSets(WorldReader& reader, const YamlNode& value, const WorldFileKey& key) {
    auto& sets = reader.specAs<GridWorldSpec>().agentActionSets;
    if (value.kind == YamlNode::Kind::Map) {
        for (const YamlMember& member : value.members) {
            const std::optional<int> agent = reader.agentNamed(member);
            const std::optional<ActionSet> set = actionSet(reader, member.value, key.name);
            if (!agent || !set) continue;
            if (sets.size() <= static_cast<std::size_t>(*agent))
                sets.resize(static_cast<std::size_t>(*agent) + 1);
            sets[static_cast<std::size_t>(*agent)] = set;
        }
    } else if (reader.isListForAgents(value, key)) {
        for (const YamlNode& each : value.elements)
            sets.push_back(each.kind == YamlNode::Kind::Null ? std::nullopt
                                                             : actionSet(reader, each, key.name));
    }
}

void readAgentList(WorldReader& reader, const YamlNode& value, const WorldFileKey& key) {
    if (!reader.isListForAgents(value, key)) return;
    std::vector<int> agents;
    for (std::size_t i = 0; i < value.elements.size(); ++i)
        if (const auto agent = reader.values().integer(value.elements[i], elementName(key, i),
                                                       static_cast<std::int64_t>(key.low),
                                                       static_cast<std::int64_t>(key.high)))
            agents.push_back(static_cast<int>(*agent));
    const bool isHumans = std::string_view(key.name) == "human_agents";
    (isHumans ? reader.specAs<GridWorldSpec>().humanAgents
              : reader.specAs<GridWorldSpec>().robotAgents) = std::move(agents);
}

void readPushers(WorldReader& reader, const YamlNode& value, const WorldFileKey& key) {
    const std::optional<std::string> letters = reader.values().text(value, key.name);
    if (!letters) return;
    if (letters->find_first_not_of(kColorLetters) != std::string::npos)
        reader.values().wrong(value, key.name, "colour letters out of r g b p y e", "E116");
    else
        reader.specAs<GridWorldSpec>().canPushRocks = *letters;
}

void readMagicEnterers(WorldReader& reader, const YamlNode& value, const WorldFileKey& key) {
    if (value.kind == YamlNode::Kind::Scalar) {
        const std::optional<bool> all = reader.values().truth(value, key.name);
        reader.specAs<GridWorldSpec>().canEnterMagicWalls.assign(reader.agents().size(),
                                                                 all.value_or(false));
    } else if (reader.isListForAgents(value, key)) {
        for (std::size_t i = 0; i < value.elements.size(); ++i)
            reader.specAs<GridWorldSpec>().canEnterMagicWalls.push_back(
                reader.values().truth(value.elements[i], elementName(key, i)).value_or(false));
    }
}

bool readGridMap(WorldReader& reader, MapReader& map) {
    auto rows = map.codeRows();
    if (rows) reader.specAs<GridWorldSpec>().map = std::move(*rows);
    return rows.has_value();
}

MapSize sizeOfGrid(const WorldSpec& spec) {
    const std::vector<std::string>& map = spec.as<GridWorldSpec>()->map;
    return {map.front().size() / 2, map.size()};
}

std::vector<AgentRole> rolesInGrid(const WorldSpec& world, std::size_t most) {
    const GridWorldSpec& spec = *world.as<GridWorldSpec>();
    std::vector<AgentRole> roles;
    for (const std::string& row : spec.map)
        for (std::size_t i = 0; i + 1 < row.size(); i += 2) {
            Color color{};
            if (row[i] != 'A' || !colorOfLetter(row[i + 1], color)) continue;
            if (roles.size() == most) return roles;
            roles.push_back(roleOf(spec, roles.size(), color));
        }
    return roles;
}

std::string spacedRow(const std::string& cells) {
    std::string row;
    for (std::size_t i = 0; i < cells.size(); i += 2)
        row += (i == 0 ? "" : " ") + cells.substr(i, 2);
    return row;
}

void addActionSets(WorldFields& fields, const GridWorldSpec& spec) {
    if (spec.actionSet) fields.value("action_class", jsonText(actionSetName(*spec.actionSet)));
    if (spec.agentActionSets.empty()) return;
    fields.value("action_sets",
                 flowText(spec.agentActionSets, [](const std::optional<ActionSet>& set) {
                     return set ? jsonText(actionSetName(*set)) : std::string("null");
                 }));
}

void writeGrid(const WorldSpec& world, WorldFields& fields) {
    const GridWorldSpec& spec = *world.as<GridWorldSpec>();
    const GridWorldSpec standard;
    std::vector<std::string> rows;
    for (const std::string& row : spec.map) rows.push_back(spacedRow(row));
    fields.map(std::move(rows));
    if (!spec.orientations.empty())
        fields.value("orientations", flowText(spec.orientations, wholeText));
    addActionSets(fields, spec);
    if (spec.humanAgents) fields.value("human_agents", flowText(*spec.humanAgents, wholeText));
    if (spec.robotAgents) fields.value("robot_agents", flowText(*spec.robotAgents, wholeText));
    if (spec.canPushRocks != standard.canPushRocks)
        fields.value("can_push_rocks", jsonText(spec.canPushRocks));
    if (!spec.canEnterMagicWalls.empty())
        fields.value("can_enter_magic_walls", flowText(spec.canEnterMagicWalls, truthText));
    const auto number = [&](const char* key, double GridWorldSpec::*member) {
        fields.unlessDefault(key, spec.*member, standard.*member);
    };
    number("stumble_probability", &GridWorldSpec::stumbleProbability);
    number("magic_entry_probability", &GridWorldSpec::magicEntryProbability);
    number("solidify_probability", &GridWorldSpec::solidifyProbability);
    number("enter_bush_success_prob", &GridWorldSpec::enterBushSuccessProbability);
    number("duration_per_nonzero_action", &GridWorldSpec::durationPerNonzeroAction);
    fields.unlessDefault("fix_magic_all", spec.fixMagicAll, standard.fixMagicAll);
    fields.unlessDefault("seed", spec.seed, standard.seed);
    fields.unlessDefault("partial_obs", spec.partialObs, standard.partialObs);
    fields.unlessDefault("agent_view_size", spec.agentViewSize, standard.agentViewSize);
    fields.unlessDefault("see_through_walls", spec.seeThroughWalls, standard.seeThroughWalls);
}

std::vector<WorldFileKey> gridKeys() {
    std::vector<WorldFileKey> keys =
        keysBefore("at least 3 x 3 cells of two characters; at most 10^8 cells");
    const auto add = [&keys](std::vector<WorldFileKey> more) {
        keys.insert(keys.end(), more.begin(), more.end());
    };
    add({
        {"width", "whole number", 1, kMaxSide, "", "",
         "Cells in a row; only checked against the map.", readSize},
        {"height", "whole number", 1, kMaxSide, "", "", "Rows; only checked against the map.",
         readSize},
        {"grid_size", "whole number or list of two", 1, kMaxSide, "", "",
         "Side of a square map, or [width, height]; only checked against the map.", readSize},
        stepsKey(),
        {"orientations", "direction or list of directions", kNoLow, kNoHigh,
         "0 to 3 or e, s, w, n; one for all agents or one for each", "0",
         "Where the agents look at the start.", readOrientations},
        {"action_class", "name", kNoLow, kNoHigh,
         "SmallActions, ObjectActions, Actions, MineActions or MinimalActions", "",
         "Action set of all agents. Left out: chosen from what the map holds.", readActionClass},
        {"action_sets", "list or map of names", kNoLow, kNoHigh,
         "one for each agent, or agent: name; null is action_class", "",
         "Action sets of single agents.", readActionSets},
        {"human_agents", "list of whole numbers", 0, 1e6, "", "",
         "Indices of the humans. Left out: the yellow agents.", readAgentList, true},
        {"robot_agents", "list of whole numbers", 0, 1e6, "", "",
         "Indices of the robots. Left out: the grey agents.", readAgentList, true},
        {"can_push_rocks", "text", kNoLow, kNoHigh, "colour letters r g b p y e", "e",
         "Colours of the agents that can push rocks.", readPushers},
        {"can_enter_magic_walls", "truth value or list of them", kNoLow, kNoHigh,
         "one for all agents or one for each", "false", "Who can enter magic walls.",
         readMagicEnterers},
        {"stumble_probability", "number", 0, 1, "", "0.5",
         "Probability to turn while walking on unsteady ground.",
         readKey<&GridWorldSpec::stumbleProbability>},
        {"magic_entry_probability", "number", 0, 1, "", "0.5",
         "Probability to get into an active magic wall.",
         readKey<&GridWorldSpec::magicEntryProbability>},
        {"solidify_probability", "number", 0, 1, "", "0.1",
         "Probability that a magic wall becomes solid when an entry fails.",
         readKey<&GridWorldSpec::solidifyProbability>},
        {"enter_bush_success_prob", "number", 0, 1, "", "1",
         "Probability to get into a bush without trampling it.",
         readKey<&GridWorldSpec::enterBushSuccessProbability>},
        {"duration_per_nonzero_action", "number", 0, 1e6, "", "0",
         "c in the duration 1 + c n of a step in which n agents choose another action than the "
         "first.",
         readKey<&GridWorldSpec::durationPerNonzeroAction>},
    });
    add(goalKeys());
    add({
        {"fix_magic_all", "truth value", kNoLow, kNoHigh, "", "false",
         "Mends magic walls of side all, which a lone agent cannot enter in the original.",
         readKey<&GridWorldSpec::fixMagicAll>},
        {"seed", "whole number", 0, 2147483647, "", "2", "Seed of random rollouts.",
         readKey<&GridWorldSpec::seed>},
        {"partial_obs", "truth value", kNoLow, kNoHigh, "", "false",
         "Agents see a part of the grid; no effect on planning.",
         readKey<&GridWorldSpec::partialObs>},
        {"agent_view_size", "whole number", 1, 1000, "", "7",
         "Side of the part that an agent sees; no effect on planning.",
         readKey<&GridWorldSpec::agentViewSize>},
        {"see_through_walls", "truth value", kNoLow, kNoHigh, "", "true",
         "Walls do not limit what an agent sees; no effect on planning.",
         readKey<&GridWorldSpec::seeThroughWalls>},
    });
    return keys;
}

}  // namespace

const WorldFormat& gridFormat() {
    static const WorldFormat kFormat{
        .keys = gridKeys(),
        .telling = {},
        .standard = [] { return WorldSpec(GridWorldSpec()); },
        .readMap = readGridMap,
        .mapSize = sizeOfGrid,
        .roles = rolesInGrid,
        .write = writeGrid,
    };
    return kFormat;
}

}  // namespace orrery
