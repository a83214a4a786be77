#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/encode/compact_state.h"

namespace orrery {

/// Humans of a world that can be learned on; their numbers in a Transition have fixed places.
inline constexpr int kMaxLearnedHumans = 8;

/// A goal as a learner tests it: the human's position lies in the inclusive rectangle.
struct GoalRectangle {
    std::int16_t x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    bool contains(int x, int y) const { return x >= x1 && x <= x2 && y >= y1 && y <= y2; }
    bool operator==(const GoalRectangle&) const = default;
};

/// What a learner knows of a world beside its encoded states; it needs no world.
struct WorldFacts {
    struct Human {
        int agent = 0;  ///< agent index
        int slot = 0;   ///< its place among the agents of an encoded state
        int numActions = 0;
        std::vector<GoalRectangle> goals;  ///< [G] in the world's order
        std::vector<double> weights;       ///< [G] w_g of X_h, as given
    };

    std::string name;
    std::string contentHash;
    EncodingShape shape;
    int maxSteps = 0;
    std::vector<Human> humans;
    std::vector<int> robotActions;  ///< [R] number of actions of each robot

    /// Joint actions of the robots; indices are lexicographic, the first robot slowest.
    int numRobotActions() const;
    /// Action profiles of the humans; indices are lexicographic, the first human slowest.
    int numHumanProfiles() const;
    /// The profile of these actions, one for each human at least.
    int humanProfile(std::span<const std::uint8_t> actions) const;
    /// Numbers of a StepModel::prior: sum over humans of goals times actions.
    std::size_t priorNumbers() const;
};

/// Whether a human stands in a goal's rectangle.
/// @param state  encoded in the facts' shape
inline bool isAttained(const WorldFacts& facts, std::span<const std::byte> state,
                       const WorldFacts::Human& human, const GoalRectangle& goal) {
    const std::int16_t* const at =
        partsOf(facts.shape, state).agents.data() +
        static_cast<std::size_t>(human.slot) * EncodingShape::kAgentNumbers;
    return goal.contains(at[0], at[1]);
}

}  // namespace orrery
