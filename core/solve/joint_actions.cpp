#include "core/solve/joint_actions.h"

namespace orrery {

std::vector<std::vector<int>> jointActions(const World& world, const std::vector<int>& agents) {
    std::vector<std::vector<int>> all{{}};
    for (const int agent : agents) {
        std::vector<std::vector<int>> longer;
        for (const auto& prefix : all)
            for (int a = 0; a < world.numActions(agent); ++a) {
                longer.push_back(prefix);
                longer.back().push_back(a);
            }
        all = std::move(longer);
    }
    return all;
}

}  // namespace orrery
