#include "core/files/world_writer.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/files/world_keys.h"

namespace orrery {

namespace {

/// A key with its value, ready to be written in either format.
struct Field {
    enum class Shape : std::uint8_t {
        Value,  ///< `value` is JSON text on one line
        Block,  ///< `items` are lines of text
        List,   ///< `items` are JSON texts, one a line
        Map,    ///< `members`
    };
    std::string key;
    Shape shape = Shape::Value;
    std::string value = {};
    std::vector<std::string> items = {};
    std::vector<Field> members = {};
};

/// A JSON string that is a YAML string, too: nothing in it that cleanText refuses.
std::string jsonString(const std::string& text) {
    const std::string json = nlohmann::ordered_json(text).dump(
        -1, ' ', false, nlohmann::ordered_json::error_handler_t::ignore);
    std::string safe;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const auto c = static_cast<unsigned char>(json[i]);
        const bool isC1 = c == 0xC2 && static_cast<unsigned char>(json[i + 1]) < 0xA0;
        if (c != 0x7F && !isC1) {
            safe += json[i];
            continue;
        }
        constexpr char kHex[] = "0123456789abcdef";
        const auto code = isC1 ? static_cast<unsigned char>(json[++i]) : c;
        safe += std::string("\\u00") + kHex[code >> 4] + kHex[code & 15];
    }
    return safe;
}

std::string truth(bool value) {
    return value ? "true" : "false";
}

template <class Values, class ToText>
std::string flowList(const Values& values, ToText toText) {
    std::string text;
    for (const auto& value : values) text += (text.empty() ? "" : ", ") + toText(value);
    return "[" + text + "]";
}

std::string numberText(int value) {
    return std::to_string(value);
}

/// Collects the fields of a spec in the order of worldFileKeys().
class FieldList {
public:
    void add(Field field) { m_fields.push_back(std::move(field)); }
    void value(const char* key, std::string text) { add({.key = key, .value = std::move(text)}); }
    template <class Value>
    void unlessDefault(const char* key, Value value, Value standard) {
        if (value == standard) return;
        if constexpr (std::is_same_v<Value, bool>)
            this->value(key, truth(value));
        else if constexpr (std::is_same_v<Value, double>)
            this->value(key, formatDouble(value));
        else
            this->value(key, std::to_string(value));
    }

    std::vector<Field> sorted() && {
        const auto rank = [](const Field& field) { return worldFileKey(field.key); };
        std::ranges::stable_sort(m_fields, {}, rank);
        return std::move(m_fields);
    }

private:
    std::vector<Field> m_fields;
};

Field metadataField(const WorldMetadata& metadata) {
    Field field{.key = "metadata", .shape = Field::Shape::Map};
    const std::pair<const char*, const std::string*> texts[] = {
        {"name", &metadata.name},       {"description", &metadata.description},
        {"author", &metadata.author},   {"version", &metadata.version},
        {"created", &metadata.created}, {"category", &metadata.category}};
    for (const auto& [key, text] : texts)
        if (!text->empty()) field.members.push_back({.key = key, .value = jsonString(*text)});
    if (!metadata.tags.empty())
        field.members.push_back({.key = "tags", .value = flowList(metadata.tags, jsonString)});
    return field;
}

std::string goalValue(const Goal& goal) {
    if (!goal.isRectangle) return flowList(std::vector{goal.x1, goal.y1}, numberText);
    return flowList(std::vector{goal.x1, goal.y1, goal.x2, goal.y2}, numberText);
}

Field goalField(const std::string& key, const std::vector<Goal>& goals,
                const std::vector<double>& weights) {
    Field field{.key = key, .shape = Field::Shape::List};
    const bool isWeighted = weights.size() == goals.size();
    for (std::size_t g = 0; g < goals.size(); ++g) {
        const std::string goal = goalValue(goals[g]);
        field.items.push_back(
            isWeighted ? std::string("{\"") + (goals[g].isRectangle ? "rect" : "cell") +
                             "\": " + goal + ", \"weight\": " + formatDouble(weights[g]) + "}"
                       : goal);
    }
    return field;
}

/// The keys that both families have, except the map.
template <class Spec>
void addShared(FieldList& fields, const Spec& spec) {
    Field metadata = metadataField(spec.metadata);
    if (!metadata.members.empty()) fields.add(std::move(metadata));
    fields.value("max_steps", std::to_string(spec.maxSteps));
    if (!spec.possibleGoals.empty())
        fields.add(goalField("possible_goals", spec.possibleGoals, spec.goalWeights));
    if (spec.goalWeights.size() != spec.possibleGoals.size() && !spec.goalWeights.empty())
        fields.value("goal_weights", flowList(spec.goalWeights, formatDouble));
    if (spec.ownGoals.empty()) return;
    Field own{.key = "human_goals", .shape = Field::Shape::Map};
    for (const HumanGoals& human : spec.ownGoals)
        own.members.push_back(goalField(std::to_string(human.agent), human.goals, human.weights));
    fields.add(std::move(own));
}

/// Rows as a block of text, or as a list where a row could not be read back from a block.
Field mapField(std::vector<std::string> rows) {
    const auto isPlain = [](const std::string& row) {
        return row.find_first_not_of(' ') == 0 &&
               std::ranges::all_of(row, [](char c) { return c >= ' ' && c <= '~'; });
    };
    Field field{.key = "map", .shape = Field::Shape::Block, .items = std::move(rows)};
    if (field.items.empty() || !std::ranges::all_of(field.items, isPlain)) {
        field.shape = Field::Shape::List;
        for (std::string& row : field.items) row = jsonString(row);
    }
    return field;
}

std::string spacedRow(const std::string& cells) {
    std::string row;
    for (std::size_t i = 0; i < cells.size(); i += 2)
        row += (i == 0 ? "" : " ") + cells.substr(i, 2);
    return row;
}

void addActionSets(FieldList& fields, const GridWorldSpec& spec) {
    if (spec.actionSet) fields.value("action_class", jsonString(actionSetName(*spec.actionSet)));
    if (spec.agentActionSets.empty()) return;
    fields.value("action_sets",
                 flowList(spec.agentActionSets, [](const std::optional<ActionSet>& set) {
                     return set ? jsonString(actionSetName(*set)) : std::string("null");
                 }));
}

std::vector<Field> fieldsOf(const GridWorldSpec& spec) {
    const GridWorldSpec standard;
    FieldList fields;
    addShared(fields, spec);
    std::vector<std::string> rows;
    for (const std::string& row : spec.map) rows.push_back(spacedRow(row));
    fields.add(mapField(std::move(rows)));
    if (!spec.orientations.empty())
        fields.value("orientations", flowList(spec.orientations, numberText));
    addActionSets(fields, spec);
    if (spec.humanAgents) fields.value("human_agents", flowList(*spec.humanAgents, numberText));
    if (spec.robotAgents) fields.value("robot_agents", flowList(*spec.robotAgents, numberText));
    if (spec.canPushRocks != standard.canPushRocks)
        fields.value("can_push_rocks", jsonString(spec.canPushRocks));
    if (!spec.canEnterMagicWalls.empty())
        fields.value("can_enter_magic_walls", flowList(spec.canEnterMagicWalls, truth));
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
    return std::move(fields).sorted();
}

std::vector<Field> fieldsOf(const BushWorldSpec& spec) {
    FieldList fields;
    addShared(fields, spec);
    fields.value("family", jsonString("bush"));
    std::vector<std::string> rows;
    for (const std::vector<std::string>& cells : spec.map) {
        std::string& row = rows.emplace_back();
        for (const std::string& cell : cells) row += (row.empty() ? "" : " ") + cell;
    }
    fields.add(mapField(std::move(rows)));
    fields.value("B", std::to_string(spec.capacity));
    fields.value("fill_density", std::to_string(spec.fillDensity));
    return std::move(fields).sorted();
}

void appendYaml(std::string& out, const std::vector<Field>& fields, const std::string& indent) {
    for (const Field& field : fields) {
        out += indent + field.key + ":";
        switch (field.shape) {
            case Field::Shape::Value:
                out += " " + field.value + "\n";
                break;
            case Field::Shape::Block:
                out += " |\n";
                for (const std::string& line : field.items)
                    out.append(indent).append("  ").append(line).append("\n");
                break;
            case Field::Shape::List:
                out += field.items.empty() ? " []\n" : "\n";
                for (const std::string& item : field.items)
                    out.append(indent).append("  - ").append(item).append("\n");
                break;
            case Field::Shape::Map:
                out += "\n";
                appendYaml(out, field.members, indent + "  ");
                break;
        }
    }
}

void appendJson(std::string& out, const std::vector<Field>& fields, const std::string& indent) {
    const std::string inner = indent + "  ";
    out += "{\n";
    for (std::size_t f = 0; f < fields.size(); ++f) {
        const Field& field = fields[f];
        out += inner + jsonString(field.key) + ": ";
        if (field.shape == Field::Shape::Value) {
            out += field.value;
        } else if (field.shape == Field::Shape::Map) {
            appendJson(out, field.members, inner);
        } else {
            out += "[";
            for (std::size_t i = 0; i < field.items.size(); ++i) {
                const std::string& item = field.items[i];
                out += (i == 0 ? "\n" : ",\n") + inner + "  " +
                       (field.shape == Field::Shape::Block ? jsonString(item) : item);
            }
            out += field.items.empty() ? "]" : "\n" + inner + "]";
        }
        out += f + 1 < fields.size() ? ",\n" : "\n";
    }
    out += indent + "}";
}

std::vector<Field> fieldsOfWorld(const WorldSpec& spec) {
    return std::visit([](const auto& family) { return fieldsOf(family); }, spec);
}

}  // namespace

std::string writeWorldYaml(const WorldSpec& spec) {
    std::string out;
    appendYaml(out, fieldsOfWorld(spec), "");
    return out;
}

std::string writeWorldJson(const WorldSpec& spec) {
    std::string out;
    appendJson(out, fieldsOfWorld(spec), "");
    return out + "\n";
}

}  // namespace orrery
