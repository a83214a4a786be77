#include "core/run/rules.h"

#include <nlohmann/json.hpp>

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string rulesJson(const std::vector<BelievedOthersRule>& rules) {
    Json list = Json::array();
    for (const BelievedOthersRule& rule : rules) {
        Json entry;
        entry["when"] = rule.when;
        if (!rule.human.empty()) entry["human"] = rule.human;
        if (!rule.ownAction.empty()) entry["own_action"] = rule.ownAction;
        for (const auto& agent : rule.agents) entry["agents"][agent.agent] = agent.probability;
        for (const auto& profile : rule.profiles)
            entry["profiles"].push_back(
                {{"probability", profile.probability}, {"actions", profile.actions}});
        list.push_back(std::move(entry));
    }
    return list.dump();
}

std::string rulesJson(const std::vector<HabitRule>& rules) {
    Json list = Json::array();
    for (const HabitRule& rule : rules) {
        Json entry;
        entry["when"] = rule.when;
        if (!rule.human.empty()) entry["human"] = rule.human;
        entry["probability"] = rule.probability;
        list.push_back(std::move(entry));
    }
    return list.dump();
}

}  // namespace orrery
