#pragma once

#include "core/entity/entity_game.h"
#include "core/env/env_options.h"

namespace orrery {

/// Cherries of many qualities; half of them may be picked, one a step. Picking the best half is
/// worth 1. Source: entity-gym's CherryPick.
class CherryPick : public EntityGame {
public:
    struct Rules {
        int numCherries = 32;
    };
    static Rules rulesOf(EnvOptions& options);
    explicit CherryPick(const Rules& rules);

private:
    enum Type : std::size_t { kCherry, kPlayer };

    void begin(Rng& rng) override;
    void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) override;
    void observe(FrameWriter& out) const override;
    nlohmann::json toJson() const override;
    void fromJson(const nlohmann::json& state) override;

    Rules m_rules;
    std::vector<double> m_cherries;
    int m_step = 0;
};

}  // namespace orrery
