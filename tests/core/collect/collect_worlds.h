#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/collect/collector.h"
#include "core/world/world.h"

namespace orrery::test {

struct LearnableWorld {
    std::string name;
    std::shared_ptr<const World> world;
};

/// The example worlds and the sample worlds that can be encoded and learned on.
const std::vector<LearnableWorld>& learnableWorlds();

/// A room of one human and one robot, four actions each, six goals.
std::shared_ptr<const World> smallRoom(int maxSteps = 10);

/// What a collector needs of worlds of one run, the humans by shortest paths.
std::vector<CollectorWorld> collectorWorlds(std::vector<std::shared_ptr<const World>> worlds,
                                            double beta_h = 2.0);

/// Every float that is not exactly equal counts.
bool areEqual(const Transition& a, const Transition& b);

/// Values that depend on the state: Q_r of action a is -(1 + a + a number of its bytes).
class MadeValues final : public RobotValues {
public:
    void q_r(std::span<const std::byte> state, int layout, std::span<float> out) override;
};

}  // namespace orrery::test
