#pragma once

#include "core/entity/entity_game.h"

namespace orrery {

/// A pole on a cart is kept upright, by the rules of Gymnasium's CartPole-v1 after Barto, Sutton
/// and Anderson (1983).
class CartPole : public EntityGame {
public:
    CartPole();

private:
    void begin(Rng& rng) override;
    void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) override;
    void observe(FrameWriter& out) const override;
    nlohmann::json toJson() const override;
    void fromJson(const nlohmann::json& state) override;

    double m_position = 0, m_speed = 0, m_angle = 0, m_turning = 0;  // m, m/s, rad, rad/s
    int m_step = 0;
};

}  // namespace orrery
