#include "core/entity/envs/cherry_pick.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

namespace orrery {

CherryPick::Rules CherryPick::rulesOf(EnvOptions& options) {
    Rules rules;
    rules.numCherries = options.whole("num_cherries", rules.numCherries, 2, 10'000, "cherries");
    return rules;
}

CherryPick::CherryPick(const Rules& rules)
    : EntityGame("CherryPick",
                 {.observations = {thingsOf("Cherry", {"quality"}), thingsOf("Player", {})},
                  .actions = {selectionOf("Pick Cherry")}}),
      m_rules(rules) {}

void CherryPick::begin(Rng& rng) {
    m_step = 0;
    m_cherries.resize(static_cast<std::size_t>(m_rules.numCherries));
    for (double& quality : m_cherries) quality = rng.normal();
    // Moved so that the best half is worth 1.
    std::vector<double> sorted = m_cherries;
    const auto half = static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::ranges::nth_element(sorted, sorted.begin() + half, std::ranges::greater());
    const double best = std::accumulate(sorted.begin(), sorted.begin() + half, 0.0);
    for (double& quality : m_cherries) quality += (1 - best) / static_cast<double>(half);
}

void CherryPick::act(std::span<const ActionTaken> taken, Rng& /*rng*/, StepResult& result) {
    double picked = 0;
    if (const std::ptrdiff_t choice = taken[0].indices[0]; choice >= 0) {
        picked = m_cherries[static_cast<std::size_t>(choice)];
        m_cherries.erase(m_cherries.begin() + choice);
    }
    ++m_step;
    end(result, picked, m_step >= m_rules.numCherries / 2 ? EpisodeEnd::Success : EpisodeEnd::None);
}

void CherryPick::observe(FrameWriter& out) const {
    std::ranges::transform(m_cherries, out.things(kCherry, std::ssize(m_cherries)).begin(),
                           [](double quality) { return static_cast<float>(quality); });
    out.things(kPlayer, 1);
    out.addActors(0, out.first(kPlayer), 1);
    out.addCandidates(0, 0, std::ssize(m_cherries));
}

nlohmann::json CherryPick::toJson() const {
    return {{"cherries", m_cherries}, {"step", m_step}};
}

void CherryPick::fromJson(const nlohmann::json& state) {
    const int step = state.at("step");
    m_cherries = state.at("cherries").get<std::vector<double>>();
    m_step = step;
}

}  // namespace orrery
