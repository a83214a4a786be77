#include "core/entity/process/game_spaces.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/text.h"
#include "core/entity/entity_game.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownBytes = 60;

/// What is wrong, found while an answer is read.
struct SpacesProblem {
    std::string text;
};

[[noreturn]] void refuseField(const std::string& where, const std::string& what) {
    throw SpacesProblem{where + ": " + what};
}

std::string shownJson(const Json& value) {
    return escaped(value.dump(-1, ' ', false, Json::error_handler_t::replace), kShownBytes);
}

const Json& fieldOf(const Json& object, const char* name) {
    static const Json kNothing;
    const auto found = object.find(name);
    return found == object.end() ? kNothing : *found;
}

/// A list, or nothing at all.
const Json& listOf(const Json& value, const std::string& where) {
    static const Json kEmpty = Json::array();
    if (value.is_null()) return kEmpty;
    if (!value.is_array()) refuseField(where, "must be a list, got " + shownJson(value));
    return value;
}

std::string textOfField(const Json& value, const std::string& where) {
    if (!value.is_string()) refuseField(where, "must be a text, got " + shownJson(value));
    return value.get<std::string>();
}

std::vector<std::string> textsOfField(const Json& value, const std::string& where) {
    std::vector<std::string> texts;
    for (const Json& each : listOf(value, where)) texts.push_back(textOfField(each, where));
    return texts;
}

void readObservations(const Json& answer, EnvironmentSpaces& spaces) {
    const Json& seen = fieldOf(answer, "obs_space");
    if (!seen.is_object()) refuseField("obs_space", "must be an object, got " + shownJson(seen));
    std::size_t number = 0;
    for (const Json& type : listOf(fieldOf(seen, "entities"), "obs_space.entities")) {
        const std::string where = "obs_space.entities[" + std::to_string(number++) + ']';
        if (!type.is_object()) refuseField(where, "must be an object, got " + shownJson(type));
        std::string name = textOfField(fieldOf(type, "name"), where + ".name");
        if (name == kGlobals) refuseField(where + ".name", "this name is taken");
        spaces.observations.push_back(thingsOf(
            std::move(name), textsOfField(fieldOf(type, "features"), where + ".features")));
    }
    std::vector<std::string> globals =
        textsOfField(fieldOf(seen, "global_features"), "obs_space.global_features");
    if (!globals.empty()) spaces.observations.push_back(globalsOf(std::move(globals)));
    if (spaces.observations.empty())
        refuseField("obs_space", "has neither entities nor global_features");
}

ActionSpace actionOf(const Json& action, const std::string& where) {
    if (!action.is_object()) refuseField(where, "must be an object, got " + shownJson(action));
    std::string name = textOfField(fieldOf(action, "name"), where + ".name");
    const std::string type = textOfField(fieldOf(action, "type"), where + ".type");
    if (type == "SelectEntity") return selectionOf(std::move(name));
    const bool isGlobal = type == "GlobalCategorical";
    if (!isGlobal && type != "Categorical")
        refuseField(where + ".type",
                    "must be Categorical, GlobalCategorical or SelectEntity, got \"" +
                        escaped(type, kShownBytes) + '"');
    std::vector<std::string> labels =
        textsOfField(fieldOf(action, "index_to_label"), where + ".index_to_label");
    return isGlobal ? globalChoiceOf(std::move(name), std::move(labels))
                    : choiceOf(std::move(name), std::move(labels));
}

}  // namespace

std::string readGameSpaces(const Json& answer, GameSpaces& out) {
    try {
        const Json &protocol = fieldOf(answer, "protocol"), &kind = fieldOf(answer, "kind"),
                   &save = fieldOf(answer, "save");
        if (protocol != kGameProtocol)
            refuseField("protocol", "must be " + std::to_string(kGameProtocol) + ", got " +
                                        shownJson(protocol));
        if (kind != "entities") refuseField("kind", "must be \"entities\", got " + shownJson(kind));
        out = {};
        readObservations(answer, out.spaces);
        std::size_t number = 0;
        for (const Json& action : listOf(fieldOf(answer, "action_space"), "action_space"))
            out.spaces.actions.push_back(
                actionOf(action, "action_space[" + std::to_string(number++) + ']'));
        out.spaces.metrics = textsOfField(fieldOf(answer, "metrics"), "metrics");
        out.canSave = save.is_boolean() && save.get<bool>();
    } catch (const SpacesProblem& problem) {
        return problem.text;
    }
    const std::vector<std::string> problems = problemsOf(out.spaces);
    return problems.empty() ? std::string() : problems.front();
}

Json jsonOf(const GameSpaces& game) {
    Json entities = Json::array(), actions = Json::array(), globals = Json::array();
    for (const ObservedSpace& space : game.spaces.observations)
        if (space.kind == ObservedSpace::Kind::Entities)
            entities.push_back({{"name", space.name}, {"features", space.features}});
        else
            globals = space.features;
    for (const ActionSpace& action : game.spaces.actions) {
        const bool isSelection = action.kind == ActionSpace::Kind::Select;
        Json entry{{"name", action.name},
                   {"type", isSelection         ? "SelectEntity"
                            : action.isOfActors ? "Categorical"
                                                : "GlobalCategorical"}};
        if (!isSelection) entry["index_to_label"] = action.choices;
        actions.push_back(std::move(entry));
    }
    return {{"protocol", kGameProtocol},
            {"kind", "entities"},
            {"obs_space", {{"global_features", globals}, {"entities", entities}}},
            {"action_space", actions},
            {"metrics", game.spaces.metrics},
            {"save", game.canSave}};
}

std::string differenceOf(const EnvironmentSpaces& now, const EnvironmentSpaces& before) {
    for (std::size_t i = 0; i < std::max(now.observations.size(), before.observations.size());
         ++i) {
        if (i >= now.observations.size())
            return "does not show \"" + escaped(before.observations[i].name) + "\" any more";
        if (i >= before.observations.size() || now.observations[i] != before.observations[i])
            return "shows \"" + escaped(now.observations[i].name) + "\" in another way";
    }
    for (std::size_t i = 0; i < std::max(now.actions.size(), before.actions.size()); ++i) {
        if (i >= now.actions.size())
            return "does not take \"" + escaped(before.actions[i].name) + "\" any more";
        if (i >= before.actions.size() || now.actions[i] != before.actions[i])
            return "takes \"" + escaped(now.actions[i].name) + "\" in another way";
    }
    return {};
}

}  // namespace orrery
