#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/collect/collector.h"
#include "core/collect/facts.h"
#include "core/replay/replay_snapshot.h"
#include "tests/core/collect/collect_worlds.h"
#include "widgets/replay/replay_source.h"

namespace orrery::test {

/// A buffer of worlds that two actors filled, `count` transitions, one a training step.
/// @param exact  [worlds] or empty
inline std::shared_ptr<const ReplaySource> filledSource(
    std::size_t count, const std::vector<std::shared_ptr<const World>>& worlds,
    const std::vector<std::shared_ptr<const Solution>>& exact = {}) {
    const std::vector<WorldFacts> facts = factsOf(worlds);
    std::vector<std::unique_ptr<Collector>> collectors;
    for (std::uint16_t index = 0; index < 2; ++index)
        collectors.push_back(std::make_unique<Collector>(
            CollectorSpec{.index = index, .seed = 5, .goalResampleProbability = 0.2},
            collectorWorlds(worlds)));
    ReplayBuffer buffer(facts.front().shape, count + 100);
    for (std::size_t i = 0; i < count; ++i)
        buffer.add(collectors[i % 2]->step({}), static_cast<std::int64_t>(i));
    return makeReplaySource({buffer.snapshot(), static_cast<std::int64_t>(count)}, EmpoSpec{},
                            worlds, exact);
}

/// The same of a small room.
inline std::shared_ptr<const ReplaySource> filledSource(std::size_t count, int maxSteps = 10) {
    return filledSource(count, {smallRoom(maxSteps)});
}

}  // namespace orrery::test
