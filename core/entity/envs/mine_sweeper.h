#pragma once

#include "core/entity/entity_game.h"
#include "core/entity/envs/cell.h"
#include "core/env/env_options.h"

namespace orrery {

/// Robots defuse mines on a small board; a cannon may shoot at anything. Won when no mine is left.
/// Source: seed 004, "MineSweeper / State"; entity-gym's MineSweeper. `original`: its masks, and
/// its cannon that never cools down.
class MineSweeper : public EntityGame {
public:
    struct Rules {
        int width = 6, height = 6;
        int nmines = 5, nrobots = 2;
        bool orbitalCannon = false;
        int cooldownPeriod = 5;
        bool original = false;
    };
    static Rules rulesOf(EnvOptions& options);
    explicit MineSweeper(const Rules& rules);

private:
    enum Type : std::size_t { kMine, kRobot, kCannon };
    enum Action : std::size_t { kMove, kFire };
    enum Choice : std::int64_t { kUp, kDown, kLeft, kRight, kDefuse, kNumChoices };

    void begin(Rng& rng) override;
    void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) override;
    void observe(FrameWriter& out) const override;
    std::optional<PlaneArea> area() const override {
        return PlaneArea{
            .right = m_rules.width - 1.0, .top = m_rules.height - 1.0, .isOfCells = true};
    }
    nlohmann::json toJson() const override;
    void fromJson(const nlohmann::json& state) override;

    void move(Cell& robot, std::int64_t direction);
    bool canFire() const { return m_hasCannon && m_cooldown == 0; }

    Rules m_rules;
    std::vector<Cell> m_mines, m_robots;
    bool m_hasCannon = false;
    int m_cooldown = 0;
};

}  // namespace orrery
