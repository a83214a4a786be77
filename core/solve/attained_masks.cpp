#include "core/solve/attained_masks.h"

#include <cstddef>
#include <vector>

#include "core/base/thread_team.h"
#include "core/world/goal.h"
#include "core/world/world.h"

namespace orrery {

bool markAttained(const StateGraph& graph, ThreadTeam& team, const std::stop_token& stop,
                  BigArray<std::uint64_t>& attained) {
    const World& world = graph.world();
    const int humans = static_cast<int>(world.goals().size());
    // Position tests only: one look-up by cell.
    std::vector<std::vector<std::uint64_t>> byCell(humans);
    for (int h = 0; h < humans; ++h) {
        const HumanGoals& list = world.goals()[h];
        byCell[h].assign(static_cast<std::size_t>(world.width()) * world.height(), 0);
        for (std::size_t g = 0; g < list.goals.size(); ++g)
            for (int y = list.goals[g].y1; y <= list.goals[g].y2; ++y)
                for (int x = list.goals[g].x1; x <= list.goals[g].x2; ++x)
                    byCell[h][static_cast<std::size_t>(y) * world.width() + x] |= std::uint64_t{1}
                                                                                  << g;
    }
    attained.resize(std::size_t{graph.numConfigs()} * humans);
    return team.forChunks(
        0, graph.numConfigs(), 4096, stop, [&](std::int64_t begin, std::int64_t end, int) {
            for (auto c = static_cast<ConfigIndex>(begin); c < end; ++c)
                for (int h = 0; h < humans; ++h)
                    attained[std::size_t{c} * humans + h] =
                        byCell[h][world.cellOf(graph.configuration(c), world.goals()[h].agent)];
        });
}

}  // namespace orrery
