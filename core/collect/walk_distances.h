#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/world/world.h"

namespace orrery {

/// How far a human is from each of its goals if all others keep still: its fewest own steps, turns
/// included for agents that face somewhere.
///
/// Walls are walked around, and so are lava, magic walls, buttons and switches that are no goal.
/// A closed door costs the step that opens it. A locked one costs the same with its key in hand;
/// without, the key is fetched first. A thing to carry that lies in the way costs the step that
/// takes it, and one more if it must be dropped for another. What the human cannot remove by
/// itself, a rock that it may not push, too, costs more than any way around. Blocks, bushes and
/// other agents count as free. Keeps distances by what lies where: one object a thread. Source:
/// spec empo 8, "shortest-path potential, doors, keys"; what acts do is spec empo 1.4.
class WalkDistances {
public:
    WalkDistances(std::shared_ptr<const World> world, const HumanGoals& goals);

    int agent() const { return m_agent; }
    std::size_t numGoals() const { return m_goals.size(); }

    /// [G] steps to each goal in a configuration; valid until the next call. What cannot be reached
    /// is further than all that can.
    std::span<const float> at(std::span<const std::uint64_t> configuration);

private:
    using Field = std::vector<float>;  ///< [poses][G], pose = cell * directions + direction

    /// From these poses one act leads into another situation, at the same pose.
    struct WayOn {
        std::vector<int> poses;
        const Field* after = nullptr;
    };
    class Search;

    bool canDo(const char* action) const;
    void readMap();
    void readFace();
    std::size_t poseOf(std::span<const std::uint64_t> configuration);
    static bool isLocked(const Obstacle& obstacle);
    static bool holdsKey(const Situation& situation, Color color);
    float stepsToRemove(const Situation& situation, const Obstacle& obstacle) const;
    std::vector<float> stepsToRemove(const Situation& situation) const;
    bool canTake(const Obstacle& obstacle) const;
    bool isWanted(const Situation& situation, const Obstacle& key) const;
    std::vector<int> posesFacing(int cell) const;
    std::vector<int> posesFacingFloor(const Situation& situation) const;
    std::vector<WayOn> waysOn(const Situation& situation);
    bool isPlanned(const Situation& situation) const;
    std::optional<Situation> withoutObstacle(const Situation& situation, std::size_t index) const;
    const Field& fieldOf(const Situation& situation);

    std::shared_ptr<const World> m_world;
    int m_agent;
    std::vector<Goal> m_goals;
    int m_directionVariable = -1;  ///< among World::variables(); -1: it faces nowhere
    int m_directions = 1;
    bool m_turnsLeft, m_turnsRight, m_picksUp, m_drops, m_toggles;
    std::vector<bool> m_isWall;     ///< [cells] never entered
    std::vector<bool> m_isBlocked;  ///< [cells] entered only where it is the goal
    float m_waiting = 0;            ///< steps that stand for what only others can remove
    float m_far = 0;                ///< what cannot be reached
    bool m_isFixed = true;          ///< nothing in this world can be an obstacle
    std::vector<int> m_variables;   ///< scratch
    std::map<Situation, Field> m_fields;
};

}  // namespace orrery
