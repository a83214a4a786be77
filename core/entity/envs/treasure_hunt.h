#pragma once

#include "core/entity/entity_game.h"
#include "core/entity/envs/cell.h"

namespace orrery {

/// Five treasures and five traps on a plain; each treasure is worth 1, a trap ends it.
/// Source: entity-gym's tutorial.
class TreasureHunt : public EntityGame {
public:
    TreasureHunt();

private:
    enum Part : std::size_t { kTrap, kTreasure, kGlobal };

    void begin(Rng& rng) override;
    void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) override;
    void observe(FrameWriter& out) const override;
    std::optional<PlaneArea> area() const override {
        return PlaneArea{.left = -10, .bottom = -10, .right = 10, .top = 10, .isOfCells = true};
    }
    nlohmann::json toJson() const override;
    void fromJson(const nlohmann::json& state) override;

    Cell m_hunter;
    std::vector<Cell> m_traps, m_treasures;
};

}  // namespace orrery
