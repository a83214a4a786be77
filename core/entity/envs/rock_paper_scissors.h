#pragma once

#include "core/entity/entity_game.h"
#include "core/env/env_options.h"

namespace orrery {

/// Against one who throws rock more often. One step; a win is worth 2. Without cheating the throw
/// is hidden from who acts: 1 at best, else 2. Source: entity-gym's RockPaperScissors.
class RockPaperScissors : public EntityGame {
public:
    struct Rules {
        bool cheat = false;
    };
    static Rules rulesOf(EnvOptions& options);
    explicit RockPaperScissors(const Rules& rules);

private:
    enum Type : std::size_t { kPlayer, kOpponent };

    void begin(Rng& rng) override;
    void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) override;
    void observe(FrameWriter& out) const override;
    nlohmann::json toJson() const override;
    void fromJson(const nlohmann::json& state) override;

    Rules m_rules;
    int m_opponent = 0;  // rock, paper, scissors
};

}  // namespace orrery
