#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/collect/step_modeller.h"
#include "core/replay/world_facts.h"
#include "core/world/world.h"

namespace orrery {

/// How exploring robots draw their actions. Source: spec empo 6.3, "exploration policies".
struct RobotExplorationSpec {
    enum class Kind : std::uint8_t {
        Policy,   ///< by the weights, the same in every state
        Forward,  ///< by the weights, but no step that moves the robot nowhere
        Macro,    ///< so to begin with; then on the same way for some steps
    };
    Kind kind = Kind::Policy;
    double macroSteps = 4.0;  ///< >= 1, mean length of a macro
    /// [A] of each robot, none below 0, not all 0. Empty: uniform; where steps that lead nowhere
    /// are left out, 0.58 for forward, 0.06 for still and 0.18 for others.
    std::vector<double> weights = {};
};

/// The weights of one agent's actions: those given, or all 1 if none are.
/// @param whose  for the error: "the robots"
/// @throws Error (BadInput) unless there is one for each action, none below 0 and not all 0
std::vector<double> explorationWeights(const std::vector<double>& given, int actions,
                                       const std::string& whose);

/// The ways in which the robots of one world move about. Immutable.
class RobotMoves {
public:
    /// @throws Error (BadInput) if the weights do not fit the robots' actions
    RobotMoves(const World& world, const WorldFacts& facts, const RobotExplorationSpec& spec);

    std::size_t numRobots() const { return m_robots.size(); }

    /// What a robot's weights are where its steps are looked at: 0 for steps that lead nowhere, but
    /// not all 0.
    /// @param rows      of the state
    /// @param firstRow  row of the first joint robot action under the humans' actions
    void weigh(const ModelledRows& rows, std::size_t firstRow, std::size_t robot,
               std::vector<double>& out) const;
    /// The weights alone.
    const std::vector<double>& weights(std::size_t robot) const { return m_robots[robot].weights; }
    /// Products of weights of each robot: [A_r].
    void joint(const std::vector<std::vector<double>>& weights, std::vector<double>& out) const;

    /// A robot's action in a joint one, and the joint one of all robots' actions.
    int actionOf(int jointAction, std::size_t robot) const;
    int jointOf(const std::vector<int>& actions) const;

    /// What a robot does next after an action: one that faces a direction walks forward, others
    /// do the same again, and who keeps still does so.
    int wayAfter(std::size_t robot, int action) const;
    /// Whether the robot would be where it is, whatever comes.
    bool leadsNowhere(const ModelledRows& rows, std::size_t firstRow, std::size_t robot,
                      int action) const;

private:
    struct Robot {
        int slot = 0;    ///< its place among the agents of an encoded state
        int below = 1;   ///< joint actions that differ in later robots alone
        int still = -1;  ///< its action, -1: none
        int forward = -1;
        std::vector<bool> isStep;  ///< [A] meant to move it
        std::vector<double> weights;
    };

    EncodingShape m_shape;
    std::vector<Robot> m_robots;
    int m_numJoint = 1;
    int m_allStill = 0;  ///< joint action
};

}  // namespace orrery
