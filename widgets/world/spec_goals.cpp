#include <algorithm>

#include "widgets/world/spec_edit.h"

namespace orrery {

namespace {

struct Lists {
    std::vector<Goal>& goals;
    std::vector<double>& weights;
};

std::vector<double> filledWeights(const std::vector<Goal>& goals,
                                  const std::vector<double>& weights) {
    if (weights.size() == goals.size()) return weights;
    return std::vector<double>(goals.size(),
                               goals.empty() ? 1.0 : 1.0 / static_cast<double>(goals.size()));
}

/// The list of an agent; made from the shared one if it has none.
Lists listOf(WorldSpec& spec, int agent) {
    if (agent < 0) return {spec->possibleGoals, spec->goalWeights};
    std::vector<HumanGoals>& all = spec->ownGoals;
    auto own = std::ranges::find(all, agent, &HumanGoals::agent);
    if (own == all.end()) {
        all.push_back({agent, spec->possibleGoals, spec->goalWeights});
        std::ranges::sort(all, {}, &HumanGoals::agent);
        own = std::ranges::find(all, agent, &HumanGoals::agent);
    }
    return {own->goals, own->weights};
}

}  // namespace

std::vector<GoalList> goalListsOf(const WorldSpec& spec) {
    std::vector<GoalList> lists{
        {-1, spec->possibleGoals, filledWeights(spec->possibleGoals, spec->goalWeights)}};
    for (const HumanGoals& own : spec->ownGoals)
        lists.push_back({own.agent, own.goals, filledWeights(own.goals, own.weights)});
    return lists;
}

void addGoal(WorldSpec& spec, int agent, const Goal& goal) {
    const Lists list = listOf(spec, agent);
    if (!list.weights.empty()) {
        double sum = 0;
        for (const double weight : list.weights) sum += weight;
        const auto count = static_cast<double>(list.weights.size());
        for (double& weight : list.weights) weight *= count / (count + 1);
        list.weights.push_back(sum / (count + 1));
    }
    list.goals.push_back(goal);
}

void removeGoal(WorldSpec& spec, int agent, std::size_t index) {
    const Lists list = listOf(spec, agent);
    if (index >= list.goals.size()) return;
    list.goals.erase(list.goals.begin() + static_cast<std::ptrdiff_t>(index));
    if (index >= list.weights.size()) return;
    double sum = 0, rest = 0;
    for (const double weight : list.weights) sum += weight;
    list.weights.erase(list.weights.begin() + static_cast<std::ptrdiff_t>(index));
    for (const double weight : list.weights) rest += weight;
    for (double& weight : list.weights) weight *= rest > 0 ? sum / rest : 1;
}

void setGoalWeight(WorldSpec& spec, int agent, std::size_t index, double weight) {
    const Lists list = listOf(spec, agent);
    if (index >= list.goals.size()) return;
    list.weights = filledWeights(list.goals, list.weights);
    list.weights[index] = weight;
}

}  // namespace orrery
