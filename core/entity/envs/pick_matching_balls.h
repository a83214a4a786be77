#pragma once

#include "core/entity/entity_game.h"
#include "core/env/env_options.h"

namespace orrery {

/// Balls of six colours are picked one by one until two colours are. All that share a colour are
/// worth
/// 1. Source: entity-gym's PickMatchingBalls.
class PickMatchingBalls : public EntityGame {
public:
    struct Rules {
        int maxBalls = 32;
        bool oneHot = false;     ///< a feature a colour, else six times its number
        bool randomize = false;  ///< 3 to maxBalls of them
        bool original = false;   ///< the same
    };
    static Rules rulesOf(EnvOptions& options);
    explicit PickMatchingBalls(const Rules& rules);

private:
    enum Type : std::size_t { kBall, kPlayer };

    void begin(Rng& rng) override;
    void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) override;
    void observe(FrameWriter& out) const override;
    nlohmann::json toJson() const override;
    void fromJson(const nlohmann::json& state) override;

    Rules m_rules;
    std::vector<int> m_colors;
    std::vector<bool> m_isSelected;
};

}  // namespace orrery
