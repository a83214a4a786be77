#pragma once

#include <optional>

#include "core/entity/entity_game.h"
#include "core/entity/envs/cell.h"
#include "core/env/env_options.h"

namespace orrery {

/// Snakes eat food of their own colour and grow; a wall, a snake or another's food ends the game.
/// Source: entity-gym's MultiSnake.
class MultiSnake : public EntityGame {
public:
    struct Rules {
        int boardSize = 10;
        int numSnakes = 2;
        int numPlayers = 1;
        int maxSnakeLength = 11;
        int maxSteps = 180;
    };
    static Rules rulesOf(EnvOptions& options);
    explicit MultiSnake(const Rules& rules);

private:
    enum Part : std::size_t { kHead, kBody, kFoodType, kGlobal };

    void begin(Rng& rng) override;
    void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) override;
    void observe(FrameWriter& out) const override;
    std::optional<PlaneArea> area() const override {
        return PlaneArea{
            .right = m_rules.boardSize - 1.0, .top = m_rules.boardSize - 1.0, .isOfCells = true};
    }
    nlohmann::json toJson() const override;
    void fromJson(const nlohmann::json& state) override;

    Rules m_rules;
    struct Snake {
        std::vector<Cell> segments;  // tail to head
    };
    struct Food {
        int color = 0;
        Cell cell;
    };
    bool isBlocked(const Cell& cell) const;
    /// A cell without snakes, and without food if it is for food; nothing where there is none.
    std::optional<Cell> freeCell(Rng& rng, bool isForFood);
    void addFood(Rng& rng, int color);

    std::vector<Snake> m_snakes;
    std::vector<Food> m_food;
    std::vector<std::uint64_t> m_taken;  // of freeCell()
    int m_step = 0;
};

}  // namespace orrery
