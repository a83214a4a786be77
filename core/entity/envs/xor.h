#pragma once

#include "core/entity/entity_game.h"

namespace orrery {

/// Whether one of two bits is set, or the contrary. One step. Source: entity-gym's XorEnv.
class Xor : public EntityGame {
public:
    Xor();

private:
    enum Part : std::size_t { kInput, kGlobal };

    void begin(Rng& rng) override;
    void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) override;
    void observe(FrameWriter& out) const override;
    nlohmann::json toJson() const override;
    void fromJson(const nlohmann::json& state) override;

    bool m_first = false, m_second = false, m_isNegated = false;
};

}  // namespace orrery
