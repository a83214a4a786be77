#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/collect/human_prior.h"
#include "core/grid/grid_spec.h"

namespace orrery::test {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

inline std::vector<float> priorOf(GoalPolicy& policy, const World& world,
                                  std::span<const std::uint64_t> configuration, int step) {
    std::size_t numbers = 0;
    for (const HumanGoals& human : world.goals())
        numbers += human.goals.size() * static_cast<std::size_t>(world.numActions(human.agent));
    std::vector<float> prior(numbers, -1.0F);
    policy.fill(configuration, step, prior);
    return prior;
}

inline std::shared_ptr<const World> roomOf(std::vector<std::string> map, std::vector<Goal> goals) {
    GridWorldSpec spec;
    spec.map = std::move(map);
    spec.possibleGoals = std::move(goals);
    spec.maxSteps = 20;
    return makeWorld(spec);
}

}  // namespace orrery::test
