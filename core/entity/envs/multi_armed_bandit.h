#pragma once

#include "core/entity/entity_game.h"

namespace orrery {

/// Five arms, of which the first pays; 32 steps. Source: entity-gym's MultiArmedBandit.
class MultiArmedBandit : public EntityGame {
public:
    MultiArmedBandit();

private:
    void begin(Rng& rng) override;
    void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) override;
    void observe(FrameWriter& out) const override;
    nlohmann::json toJson() const override;
    void fromJson(const nlohmann::json& state) override;

    int m_step = 0;
};

}  // namespace orrery
