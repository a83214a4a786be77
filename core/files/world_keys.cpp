#include "core/files/world_keys.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/files/goal_reader.h"
#include "core/files/world_format.h"
#include "core/files/world_reader.h"
#include "core/world/world_family.h"

namespace orrery {

namespace {

constexpr std::pair<std::string_view, std::string WorldMetadata::*> kMetadata[] = {
    {"name", &WorldMetadata::name},       {"description", &WorldMetadata::description},
    {"author", &WorldMetadata::author},   {"version", &WorldMetadata::version},
    {"created", &WorldMetadata::created}, {"category", &WorldMetadata::category},
};

void readMetadata(WorldReader& reader, const YamlNode& value, const WorldFileKey& key) {
    ValueReader& values = reader.values();
    if (!values.expect(value, key.name, YamlNode::Kind::Map)) return;
    WorldMetadata& metadata = reader.spec()->metadata;
    std::vector<std::string> known{"tags"};
    for (const auto& [name, member] : kMetadata) known.emplace_back(name);
    for (const YamlMember& member : value.members) {
        if (std::ranges::find(known, member.name) == known.end()) {
            reader.refuseKey(member, "metadata has no key", known);
        } else if (member.value.kind == YamlNode::Kind::Null) {
            continue;
        } else if (member.name != "tags") {
            const auto at = std::ranges::find_if(
                kMetadata, [&](const auto& row) { return row.first == member.name; });
            if (auto text = values.text(member.value, "metadata." + member.name))
                metadata.*at->second = std::move(*text);
        } else if (values.expect(member.value, "metadata.tags", YamlNode::Kind::Sequence)) {
            for (const YamlNode& tag : member.value.elements)
                if (auto text = values.text(tag, "metadata.tags"))
                    metadata.tags.push_back(std::move(*text));
        }
    }
}

void readPossibleGoals(WorldReader& reader, const YamlNode& value, const WorldFileKey& key) {
    std::optional<ReadGoals> read = readGoals(reader.values(), value, key.name, reader.mapSize());
    if (!read) return;
    reader.spec()->possibleGoals = std::move(read->goals);
    reader.spec()->goalWeights = std::move(read->weights);
}

void readGoalWeights(WorldReader& reader, const YamlNode& value, const WorldFileKey& key) {
    ValueReader& values = reader.values();
    if (!values.expect(value, key.name, YamlNode::Kind::Sequence)) return;
    std::vector<double>& weights = reader.spec()->goalWeights;
    if (!weights.empty()) {
        values.diagnostics().error(value.place(), "E120", "the goals have weights of their own",
                                   "remove them there or remove 'goal_weights'");
        return;
    }
    for (std::size_t i = 0; i < value.elements.size(); ++i)
        if (const auto weight =
                values.number(value.elements[i], elementName(key, i), key.low, key.high))
            weights.push_back(*weight);
}

void readHumanGoals(WorldReader& reader, const YamlNode& value, const WorldFileKey& key) {
    ValueReader& values = reader.values();
    if (!values.expect(value, key.name, YamlNode::Kind::Map)) return;
    std::vector<HumanGoals>& lists = reader.spec()->ownGoals;
    for (const YamlMember& member : value.members) {
        const std::optional<int> agent = reader.agentNamed(member);
        std::optional<ReadGoals> read =
            readGoals(values, member.value, "goals of " + member.name, reader.mapSize());
        if (!agent) continue;
        if (!reader.agents()[static_cast<std::size_t>(*agent)].starts_with("human"))
            values.diagnostics().error(member.place(), "E121",
                                       "agent " + quotedValue(member.name) + " is not a human",
                                       "only humans have goals");
        else if (std::ranges::find(lists, *agent, &HumanGoals::agent) != lists.end())
            values.diagnostics().error(
                member.place(), "E107",
                "agent " + quotedValue(member.name) + " has two lists of goals", "keep one");
        else if (read)
            lists.push_back({*agent, std::move(read->goals), std::move(read->weights)});
    }
}

}  // namespace

std::string elementName(const WorldFileKey& key, std::size_t i) {
    return std::string(key.name) + "[" + std::to_string(i) + "]";
}

std::string WorldFileKey::rangeText() const {
    if (!isNumber()) return range;
    const auto number = [](double value) {
        const bool isWhole = value >= 0 && value <= 1e9 && value == static_cast<int>(value);
        return isWhole ? std::to_string(static_cast<int>(value)) : formatDouble(value);
    };
    std::string text = number(low) + " to " + number(high);
    if (*range != '\0') text = text + "; " + range;
    return text;
}

std::vector<WorldFileKey> keysBefore(const char* map) {
    return {
        {"metadata", "map", kNoLow, kNoHigh, "", "",
         "Words about the world that no computation uses.", readMetadata},
        {"metadata.name", "text", kNoLow, kNoHigh, "", "", "Name shown in lists."},
        {"metadata.description", "text", kNoLow, kNoHigh, "", "", "What the world is for."},
        {"metadata.author", "text", kNoLow, kNoHigh, "", "", "Who made it."},
        {"metadata.version", "text", kNoLow, kNoHigh, "", "", "Version of the world."},
        {"metadata.created", "text", kNoLow, kNoHigh, "", "", "When it was made."},
        {"metadata.category", "text", kNoLow, kNoHigh, "", "", "Group in lists."},
        {"metadata.tags", "list of texts", kNoLow, kNoHigh, "", "", "Words to find it by."},
        {"family", "name", kNoLow, kNoHigh, "", "",
         "Kind of world. Left out: told by keys that one family alone has, else grid."},
        {"map", "block of text or list of rows", kNoLow, kNoHigh, map, "",
         "The cells at the start, row by row."},
    };
}

WorldFileKey stepsKey() {
    return {"max_steps",
            "whole number",
            0,
            1e6,
            "",
            "100",
            "Steps after which every state is terminal.",
            readKey<&SharedSpec::maxSteps>};
}

std::vector<WorldFileKey> goalKeys() {
    return {
        {"possible_goals", "list of goals", kNoLow, kNoHigh,
         "x,y or x1,y1,x2,y2 as text or list, [[x1,y1],[x2,y2]], {cell: ..} or {rect: ..}; at most "
         "64",
         "", "Goals of every human without a list of its own; bush: every cell if left out.",
         readPossibleGoals},
        {"goal_weights", "list of numbers", kLeastWeight, kMostWeight, "one for each goal", "",
         "Weights of possible_goals. Left out: 1/n each.", readGoalWeights},
        {"human_goals", "map of goal lists", kNoLow, kNoHigh,
         "agent index or name: list of goals, each may be {cell: .., weight: ..}", "",
         "Goals of single humans, instead of possible_goals.", readHumanGoals},
    };
}

const WorldFileKey* worldFileKey(std::string_view name) {
    for (const WorldFamily* family : worldFamilies()) {
        if (family->format == nullptr) continue;
        const auto found = std::ranges::find(family->format->keys, name, &WorldFileKey::name);
        if (found != family->format->keys.end()) return &*found;
    }
    return nullptr;
}

}  // namespace orrery
