#include "core/entity/envs/rock_paper_scissors.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace orrery {

namespace {

constexpr int kThrows = 3;
constexpr double kRock = 0.5, kPaper = 0.3;  // else scissors

}  // namespace

RockPaperScissors::Rules RockPaperScissors::rulesOf(EnvOptions& options) {
    Rules rules;
    rules.cheat = options.truth("cheat", rules.cheat, "the opponent's throw is seen");
    return rules;
}

RockPaperScissors::RockPaperScissors(const Rules& rules)
    : EntityGame("RockPaperScissors",
                 {.observations = {thingsOf("Player", {}),
                                   thingsOf("Opponent", {"rock", "paper", "scissors"})},
                  .actions = {choiceOf("throw", {"rock", "paper", "scissors"})}}),
      m_rules(rules) {}

void RockPaperScissors::begin(Rng& rng) {
    const double draw = rng.uniform();
    m_opponent = draw < kRock ? 0 : draw < kRock + kPaper ? 1 : 2;
}

void RockPaperScissors::act(std::span<const ActionTaken> taken, Rng& /*rng*/, StepResult& result) {
    const bool hasWon = taken[0].indices[0] == (m_opponent + 1) % kThrows;
    end(result, hasWon ? 2 : 0, hasWon ? EpisodeEnd::Success : EpisodeEnd::Failure);
}

void RockPaperScissors::observe(FrameWriter& out) const {
    out.things(kPlayer, 1);
    const std::span<float> opponent = out.things(kOpponent, 1);
    std::ranges::fill(opponent, 0.F);
    opponent[static_cast<std::size_t>(m_opponent)] = 1;
    out.visible(kOpponent)[0] = m_rules.cheat ? 1 : 0;
    out.addActors(0, out.first(kPlayer), 1);
}

nlohmann::json RockPaperScissors::toJson() const {
    std::vector<double> opponent(kThrows);
    opponent[static_cast<std::size_t>(m_opponent)] = 1;
    return {{"opponent", opponent}, {"cheat", m_rules.cheat}};
}

void RockPaperScissors::fromJson(const nlohmann::json& state) {
    const auto opponent = state.at("opponent").get<std::vector<double>>();
    const auto thrown = std::ranges::find(opponent, 1.0);
    if (opponent.size() != kThrows || thrown == opponent.end())
        throw badInput("the opponent throws one of three");
    m_opponent = static_cast<int>(thrown - opponent.begin());
}

}  // namespace orrery
