#include "core/solve/attainment.h"

#include "core/world/world.h"

namespace orrery {

std::vector<int> attainedAt(const Solution& solution, std::span<const RolloutStep> episode) {
    const World& world = solution.world();
    std::vector<int> places(world.goals().size(), kNeverAttained);
    for (std::size_t h = 0; h < places.size(); ++h) {
        const int goal = episode.front().goals[h];
        for (std::size_t i = 1; i < episode.size() && goal >= 0; ++i) {
            const auto configuration = solution.graph().configuration(episode[i].state.config);
            if ((world.attainedGoals(configuration, static_cast<int>(h)) >> goal & 1) == 0)
                continue;
            places[h] = static_cast<int>(i);
            break;
        }
    }
    return places;
}

}  // namespace orrery
