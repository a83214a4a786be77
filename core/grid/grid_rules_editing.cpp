#include <algorithm>
#include <array>

#include "core/grid/grid_editing.h"
#include "core/grid/grid_spec.h"

namespace orrery {

namespace {

constexpr std::array kActionSets{ActionSet::Small, ActionSet::Object, ActionSet::All,
                                 ActionSet::Mine, ActionSet::Minimal};

/// A rule that is a number.
template <double GridWorldSpec::*member>
WorldRule numberRule(const char* key, const char* label) {
    return {
        .key = key,
        .label = label,
        .text = [](const WorldSpec& spec) { return typedText(spec.as<GridWorldSpec>()->*member); },
        .take =
            [](WorldSpec& spec, const std::string& text) {
                const auto value = typedNumber(text);
                if (value) spec.as<GridWorldSpec>()->*member = *value;
                return value.has_value();
            }};
}

WorldRule rocksRule() {
    return {.key = "can_push_rocks",
            .label = "Push rocks",
            .text = [](const WorldSpec& spec) { return spec.as<GridWorldSpec>()->canPushRocks; },
            .take =
                [](WorldSpec& spec, const std::string& text) {
                    spec.as<GridWorldSpec>()->canPushRocks = text;
                    return true;
                }};
}

int choiceOf(const std::optional<ActionSet>& set) {
    if (!set) return -1;
    return static_cast<int>(std::ranges::find(kActionSets, *set) - kActionSets.begin());
}

std::optional<ActionSet> setOfChoice(int choice) {
    if (choice < 0) return std::nullopt;
    return kActionSets[static_cast<std::size_t>(choice)];
}

int actionsOfAll(const WorldSpec& spec, int /*agent*/) {
    return choiceOf(spec.as<GridWorldSpec>()->actionSet);
}

void chooseForAll(WorldSpec& spec, int /*agent*/, int choice) {
    spec.as<GridWorldSpec>()->actionSet = setOfChoice(choice);
}

int actionsOfAgent(const WorldSpec& spec, int agent) {
    const auto& sets = spec.as<GridWorldSpec>()->agentActionSets;
    return agent < std::ssize(sets) ? choiceOf(sets[static_cast<std::size_t>(agent)]) : -1;
}

void chooseForAgent(WorldSpec& spec, int agent, int choice) {
    auto& sets = spec.as<GridWorldSpec>()->agentActionSets;
    const auto at = static_cast<std::size_t>(agent);
    if (sets.size() <= at) sets.resize(at + 1);
    sets[at] = setOfChoice(choice);
}

}  // namespace

std::vector<WorldRule> gridRules() {
    return {
        numberRule<&GridWorldSpec::stumbleProbability>("stumble_probability", "Stumbling"),
        numberRule<&GridWorldSpec::magicEntryProbability>("magic_entry_probability", "Magic entry"),
        numberRule<&GridWorldSpec::solidifyProbability>("solidify_probability", "Solidifying"),
        numberRule<&GridWorldSpec::enterBushSuccessProbability>("enter_bush_success_prob",
                                                                "Bush entry"),
        numberRule<&GridWorldSpec::durationPerNonzeroAction>("duration_per_nonzero_action",
                                                             "Time an action"),
        rocksRule()};
}

std::vector<WorldRuleChoice> gridChoices() {
    std::vector<std::string> names;
    names.reserve(kActionSets.size());
    for (const ActionSet set : kActionSets) names.emplace_back(actionSetName(set));
    return {{.key = "action_class",
             .label = "Actions",
             .none = "by the map",
             .choices = names,
             .ofAgents = false,
             .chosen = actionsOfAll,
             .choose = chooseForAll},
            {.key = "action_sets",
             .label = "Actions",
             .none = "as all",
             .choices = names,
             .ofAgents = true,
             .chosen = actionsOfAgent,
             .choose = chooseForAgent}};
}

}  // namespace orrery
