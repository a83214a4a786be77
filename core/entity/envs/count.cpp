#include "core/entity/envs/count.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace orrery {

namespace {

constexpr int kChoices = 10;

}  // namespace

Count::Rules Count::rulesOf(EnvOptions& options) {
    Rules rules;
    rules.maskedChoices = options.whole("masked_choices", rules.maskedChoices, 1, kChoices,
                                        "counts that come, from 0");
    return rules;
}

Count::Count(const Rules& rules)
    : EntityGame(
          "Count",
          {.observations = {thingsOf("Player", {}), thingsOf("Bean", {})},
           .actions = {choiceOf("count", {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"})}}),
      m_rules(rules) {}

void Count::begin(Rng& rng) {
    const auto counts = static_cast<std::uint64_t>(m_rules.maskedChoices);
    m_count = static_cast<int>(rng.below(counts));
    m_allowed.assign(kChoices, 0);
    m_allowed[static_cast<std::size_t>(m_count)] = 1;
    // A subset of so many counts: the first ones of a shuffled list.
    const std::uint64_t numOthers = rng.below(counts + 1);
    std::uint8_t order[kChoices] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (std::uint64_t i = 0; i < numOthers; ++i) {
        std::swap(order[i], order[i + rng.below(counts - i)]);
        m_allowed[order[i]] = 1;
    }
}

void Count::act(std::span<const ActionTaken> taken, Rng& /*rng*/, StepResult& result) {
    const bool isRight = taken[0].indices[0] == m_count;
    m_allowed.clear();
    end(result, isRight ? 1 : 0, isRight ? EpisodeEnd::Success : EpisodeEnd::Failure);
}

void Count::observe(FrameWriter& out) const {
    out.things(kPlayer, 1);
    out.things(kBean, m_count);
    out.addActors(0, out.first(kPlayer), 1);
    if (!m_allowed.empty()) std::ranges::copy(m_allowed, out.allowed(0).begin());
}

nlohmann::json Count::toJson() const {
    nlohmann::json state{{"count", m_count}};
    if (!m_allowed.empty()) state["mask"] = m_allowed;
    return state;
}

void Count::fromJson(const nlohmann::json& state) {
    const int count = state.at("count");
    std::vector<std::uint8_t> allowed;
    if (state.contains("mask")) allowed = state.at("mask").get<std::vector<std::uint8_t>>();
    if (count < 0 || count >= kChoices || (!allowed.empty() && allowed.size() != kChoices))
        throw badInput("there are 0 to 9 beans, and a mask of 10 choices or none");
    m_count = count;
    m_allowed = std::move(allowed);
}

}  // namespace orrery
