#pragma once

#include "core/entity/entity_game.h"

namespace orrery {

/// A spaceship on the unit circle comes near the origin in 32 steps; the way is worth its length.
/// Source: entity-gym's MoveToOrigin.
class MoveToOrigin : public EntityGame {
public:
    MoveToOrigin();

private:
    enum Action : std::size_t { kHorizontal, kVertical };

    void begin(Rng& rng) override;
    void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) override;
    void observe(FrameWriter& out) const override;
    nlohmann::json toJson() const override;
    void fromJson(const nlohmann::json& state) override;

    double m_x = 0, m_y = 0, m_speedX = 0, m_speedY = 0;
    int m_step = 0;
};

}  // namespace orrery
