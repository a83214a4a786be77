#pragma once

#include "core/entity/entity_game.h"
#include "core/entity/envs/cell.h"

namespace orrery {

/// A step onto the one neighbour that is no lava. Positions lie so far apart that only relative
/// ones help. One step. Source: entity-gym's FloorIsLava.
class FloorIsLava : public EntityGame {
public:
    FloorIsLava();

private:
    enum Type : std::size_t { kLava, kHighGround, kPlayer };

    void begin(Rng& rng) override;
    void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) override;
    void observe(FrameWriter& out) const override;
    nlohmann::json toJson() const override;
    void fromJson(const nlohmann::json& state) override;

    Cell m_player, m_highGround;
    std::vector<Cell> m_lava;
};

}  // namespace orrery
