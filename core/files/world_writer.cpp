#include "core/files/world_writer.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/files/world_fields.h"
#include "core/files/world_format.h"
#include "core/world/world_family.h"

namespace orrery {

std::string jsonText(const std::string& text) {
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

std::string truthText(bool value) {
    return value ? "true" : "false";
}

std::string wholeText(int value) {
    return std::to_string(value);
}

void WorldFields::map(std::vector<std::string> rows) {
    const auto isPlain = [](const std::string& row) {
        return row.find_first_not_of(' ') == 0 &&
               std::ranges::all_of(row, [](char c) { return c >= ' ' && c <= '~'; });
    };
    WorldField field{.key = "map", .shape = WorldField::Shape::Block, .items = std::move(rows)};
    if (field.items.empty() || !std::ranges::all_of(field.items, isPlain)) {
        field.shape = WorldField::Shape::List;
        for (std::string& row : field.items) row = jsonText(row);
    }
    add(std::move(field));
}

namespace {

WorldField metadataField(const WorldMetadata& metadata) {
    WorldField field{.key = "metadata", .shape = WorldField::Shape::Map};
    const std::pair<const char*, const std::string*> texts[] = {
        {"name", &metadata.name},       {"description", &metadata.description},
        {"author", &metadata.author},   {"version", &metadata.version},
        {"created", &metadata.created}, {"category", &metadata.category}};
    for (const auto& [key, text] : texts)
        if (!text->empty()) field.members.push_back({.key = key, .value = jsonText(*text)});
    if (!metadata.tags.empty())
        field.members.push_back({.key = "tags", .value = flowText(metadata.tags, jsonText)});
    return field;
}

std::string goalValue(const Goal& goal) {
    if (!goal.isRectangle) return flowText(std::vector{goal.x1, goal.y1}, wholeText);
    return flowText(std::vector{goal.x1, goal.y1, goal.x2, goal.y2}, wholeText);
}

WorldField goalField(const std::string& key, const std::vector<Goal>& goals,
                     const std::vector<double>& weights) {
    WorldField field{.key = key, .shape = WorldField::Shape::List};
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

/// What all families say, except the map.
void addShared(WorldFields& fields, const SharedSpec& spec) {
    WorldField metadata = metadataField(spec.metadata);
    if (!metadata.members.empty()) fields.add(std::move(metadata));
    fields.value("max_steps", std::to_string(spec.maxSteps));
    if (!spec.possibleGoals.empty())
        fields.add(goalField("possible_goals", spec.possibleGoals, spec.goalWeights));
    if (spec.goalWeights.size() != spec.possibleGoals.size() && !spec.goalWeights.empty())
        fields.value("goal_weights", flowText(spec.goalWeights, formatDouble));
    if (spec.ownGoals.empty()) return;
    WorldField own{.key = "human_goals", .shape = WorldField::Shape::Map};
    for (const HumanGoals& human : spec.ownGoals)
        own.members.push_back(goalField(std::to_string(human.agent), human.goals, human.weights));
    fields.add(std::move(own));
}

void appendYaml(std::string& out, const std::vector<WorldField>& fields,
                const std::string& indent) {
    for (const WorldField& field : fields) {
        out += indent + field.key + ":";
        switch (field.shape) {
            case WorldField::Shape::Value:
                out += " " + field.value + "\n";
                break;
            case WorldField::Shape::Block:
                out += " |\n";
                for (const std::string& line : field.items)
                    out.append(indent).append("  ").append(line).append("\n");
                break;
            case WorldField::Shape::List:
                out += field.items.empty() ? " []\n" : "\n";
                for (const std::string& item : field.items)
                    out.append(indent).append("  - ").append(item).append("\n");
                break;
            case WorldField::Shape::Map:
                out += "\n";
                appendYaml(out, field.members, indent + "  ");
                break;
        }
    }
}

void appendJson(std::string& out, const std::vector<WorldField>& fields,
                const std::string& indent) {
    const std::string inner = indent + "  ";
    out += "{\n";
    for (std::size_t f = 0; f < fields.size(); ++f) {
        const WorldField& field = fields[f];
        out += inner + jsonText(field.key) + ": ";
        if (field.shape == WorldField::Shape::Value) {
            out += field.value;
        } else if (field.shape == WorldField::Shape::Map) {
            appendJson(out, field.members, inner);
        } else {
            out += "[";
            for (std::size_t i = 0; i < field.items.size(); ++i) {
                const std::string& item = field.items[i];
                out += (i == 0 ? "\n" : ",\n") + inner + "  " +
                       (field.shape == WorldField::Shape::Block ? jsonText(item) : item);
            }
            out += field.items.empty() ? "]" : "\n" + inner + "]";
        }
        out += f + 1 < fields.size() ? ",\n" : "\n";
    }
    out += indent + "}";
}

std::vector<WorldField> fieldsOfWorld(const WorldSpec& spec) {
    const WorldFormat* const format = spec.family().format;
    if (format == nullptr)
        throw Error("A world of this family has no file.", Error::Kind::BadInput);
    WorldFields written;
    addShared(written, *spec.operator->());
    format->write(spec, written);
    const auto rank = [format](const WorldField& field) {
        return std::ranges::find(format->keys, std::string_view(field.key), &WorldFileKey::name) -
               format->keys.begin();
    };
    std::ranges::stable_sort(written.fields(), {}, rank);
    return std::move(written.fields());
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
