#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/replay/world_facts.h"
#include "core/solve/solution.h"
#include "core/world/world.h"

namespace orrery {

/// Where a collector's human policies pi_h(a | s, g) come from. Keeps scratch memory: one a thread.
class GoalPolicy {
public:
    virtual ~GoalPolicy() = default;

    /// Fills in pi_h of a state that is not terminal: human by human, goal by goal, [A_h] each sums
    /// to 1; WorldFacts::priorNumbers() numbers.
    virtual void fill(std::span<const std::uint64_t> configuration, int step,
                      std::span<float> out) = 0;
};

/// The prior of an exact solve (phase 1 is enough). A state that is not in its graph is an Error.
/// Many policies may share the solution, on any threads.
std::unique_ptr<GoalPolicy> makeExactPolicy(std::shared_ptr<const Solution> solution);

/// Goal-directed: softmax of beta_h times the expected decrease of the distance to the goal by each
/// own action, the others keeping still. Distances are those of WalkDistances: own steps around
/// what stands fast, through doors and by way of their keys. Source: spec empo 8, "shortest-path
/// potential".
/// @param beta_h  >= 0, or infinity: uniform over the best
std::unique_ptr<GoalPolicy> makeShortestPathPolicy(std::shared_ptr<const World> world,
                                                   double beta_h);

std::unique_ptr<GoalPolicy> makeUniformPolicy(const World& world);

}  // namespace orrery
