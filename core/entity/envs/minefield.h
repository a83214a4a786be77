#pragma once

#include "core/entity/entity_game.h"
#include "core/env/env_options.h"

namespace orrery {

/// A vehicle that turns and drives finds the target between mines. `original`: its first step
/// number goes on from the last episode, and the target may begin within reach. Source:
/// entity-gym's Minefield.
class Minefield : public EntityGame {
public:
    struct Rules {
        int maxMines = 10;
        int maxSteps = 200;
        bool translate = false;  ///< mines and target are seen from the vehicle
        double width = 200;
        bool original = false;
    };
    static Rules rulesOf(EnvOptions& options);
    explicit Minefield(const Rules& rules);

private:
    enum Type : std::size_t { kVehicle, kMine, kTarget };
    enum Choice : std::int64_t { kTurnLeft, kForward, kTurnRight };

    void begin(Rng& rng) override;
    void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) override;
    void observe(FrameWriter& out) const override;
    nlohmann::json toJson() const override;
    void fromJson(const nlohmann::json& state) override;

    Rules m_rules;
    struct Point {
        double x = 0, y = 0;
    };
    static bool areWithin(const Point& a, const Point& b, double reach);

    Point m_vehicle, m_target;
    double m_direction = 0;
    std::vector<Point> m_mines;
    int m_step = 0;
};

}  // namespace orrery
