#include "tests/core/dag/sample_worlds.h"

#include "core/bush/bush_world.h"
#include "core/grid/grid_world.h"
#include "tests/core/world/grid_bridge.h"
#include "tests/support/random_world.h"
#include "tests/support/test_worlds.h"

namespace orrery::test {

namespace {

void addGridWorlds(std::vector<NamedWorld>& worlds) {
    const reference::RandomWorldLimits limits{
        .minAgents = 2, .maxAgents = 3, .maxInnerWidth = 4, .maxInnerHeight = 3, .maxSteps = 2};
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const reference::RandomWorld random = reference::randomWorld(seed, limits);
        GridWorldSpec spec = specOf(random.map, random.parameters);
        const int width = static_cast<int>(random.map.front().size() / 2);
        const int height = static_cast<int>(random.map.size());
        spec.possibleGoals = {{1, 1, width - 2, height - 2, true},
                              {1, 1, 1, 1, false},
                              {width - 2, 1, width - 2, height - 2, true}};
        worlds.push_back({"grid " + std::to_string(seed), std::make_shared<GridWorld>(spec)});
    }
}

void addBushWorlds(std::vector<NamedWorld>& worlds) {
    const std::vector<std::vector<std::vector<std::string>>> maps = {
        {{"Ro", "2", "Hu"}, {"1", "3", "0"}},
        {{"Hu", "1", "Hu"}, {"2", "Ro", "4"}},
        {{"Ro", "1", "1", "Ro"}, {"2", "Hu", "0", "1"}},
    };
    for (std::size_t i = 0; i < maps.size(); ++i) {
        BushWorldSpec spec;
        spec.map = maps[i];
        spec.capacity = 4;
        spec.fillDensity = static_cast<int>(i);
        spec.maxSteps = i == 2 ? 3 : 5;
        worlds.push_back({"bush " + std::to_string(i), std::make_shared<BushWorld>(spec)});
    }
}

void addTables(std::vector<NamedWorld>& worlds) {
    Rng rng(2024);
    for (int i = 0; i < 16; ++i) {
        RandomTableShape shape;
        shape.configs = 1 + static_cast<int>(rng.below(80));
        shape.humans = 1 + i % 2;
        shape.others = i % 3 == 0 ? 1 : 0;
        shape.actions = 1 + i % 3;
        shape.maxSteps = static_cast<int>(rng.below(9));
        shape.maxOutcomes = 1 + i % 4;
        shape.byStep = i % 4 == 3;
        shape.keyBits = i % 5 == 1 ? 63 + i : 0;
        worlds.push_back({"table " + std::to_string(i),
                          std::make_shared<TableWorld>(randomTableWorld(shape, rng))});
    }
}

}  // namespace

const std::vector<NamedWorld>& sampleWorlds() {
    static const std::vector<NamedWorld> kWorlds = [] {
        std::vector<NamedWorld> list;
        addGridWorlds(list);
        addBushWorlds(list);
        addTables(list);
        return list;
    }();
    return kWorlds;
}

}  // namespace orrery::test
