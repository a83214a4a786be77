#include <QTest>
#include <algorithm>

#include "core/grid/grid_world.h"
#include "core/solve/solution.h"
#include "tests/core/solve/solve_checks.h"
#include "tests/core/world/grid_bridge.h"
#include "tests/support/random_world.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// What stands in a cell, seen in a mirror: magic walls with one open side change it.
std::string mirroredCode(const std::string& code) {
    if (code == "Me") return "Mw";
    if (code == "Mw") return "Me";
    return code;
}

/// East and west exchanged.
GridWorldSpec mirrored(GridWorldSpec spec) {
    const int width = static_cast<int>(spec.map.front().size() / 2);
    for (std::string& row : spec.map) {
        std::string turned;
        for (int x = width - 1; x >= 0; --x)
            turned += mirroredCode(row.substr(std::size_t{2} * x, 2));
        row = turned;
    }
    for (int& direction : spec.orientations)
        if (direction % 2 == 0) direction = 2 - direction;
    for (Goal& goal : spec.possibleGoals)
        goal = {width - 1 - goal.x2, goal.y1, width - 1 - goal.x1, goal.y2, goal.isRectangle};
    return spec;
}

/// Agents are numbered row by row: in a row of their own they keep their numbers in a mirror.
bool hasARowForEachAgent(const std::vector<std::string>& map) {
    for (const std::string& row : map) {
        int agents = 0;
        for (std::size_t i = 0; i < row.size(); i += 2) agents += row[i] == 'A' ? 1 : 0;
        if (agents > 1) return false;
    }
    return true;
}

/// Where an agent's actions stand in the mirror: left and right are exchanged.
std::vector<int> mirroredActions(const std::vector<std::string>& names) {
    std::vector<int> indices;
    for (const std::string& name : names) {
        const std::string other = name == "left" ? "right" : name == "right" ? "left" : name;
        indices.push_back(static_cast<int>(std::ranges::find(names, other) - names.begin()));
    }
    return indices;
}

template <typename T>
std::vector<T> permuted(const std::vector<T>& list, const std::vector<int>& order) {
    std::vector<T> result;
    result.reserve(order.size());
    for (const int index : order) result.push_back(list[static_cast<std::size_t>(index)]);
    return result;
}

/// The values of a state of a mirrored world as they are before the mirror.
StateValues turnedBack(StateValues values, const World& world) {
    if (values.terminal) return values;
    const RobotProfiles profiles = robotProfiles(world);
    std::vector<int> order;
    for (const std::vector<int>& actions : profiles.actions) {
        std::vector<int> other;
        other.reserve(actions.size());
        for (std::size_t k = 0; k < actions.size(); ++k)
            other.push_back(mirroredActions(
                world.agents()[profiles.robots[k]].actions)[static_cast<std::size_t>(actions[k])]);
        order.push_back(static_cast<int>(std::ranges::find(profiles.actions, other) -
                                         profiles.actions.begin()));
    }
    values.q_r = permuted(values.q_r, order);
    values.pi_r = permuted(values.pi_r, order);
    for (std::size_t h = 0; h < values.marginal.size(); ++h) {
        const auto own = mirroredActions(world.agents()[world.goals()[h].agent].actions);
        values.marginal[h] = permuted(values.marginal[h], own);
        for (auto& policy : values.pi_h[h]) policy = permuted(policy, own);
    }
    return values;
}

GridWorldSpec specOf(const reference::RandomWorld& random) {
    GridWorldSpec spec = test::specOf(random.map, random.parameters);
    const int width = static_cast<int>(random.map.front().size() / 2);
    const int height = static_cast<int>(random.map.size());
    spec.possibleGoals = {{1, 1, width - 2, height - 2, true},
                          {1, 1, 1, 1, false},
                          {width - 2, 1, width - 2, height - 2, true}};
    return spec;
}

reference::RandomWorld randomMirrorWorld(std::uint64_t seed) {
    return reference::randomWorld(
        seed,
        {.minAgents = 2, .maxAgents = 3, .maxInnerWidth = 4, .maxInnerHeight = 4, .maxSteps = 3});
}

/// Whoever can turn left can turn right.
bool turnsBothWays(const World& world) {
    return std::ranges::all_of(world.agents(), [](const AgentInfo& agent) {
        return std::ranges::count(agent.actions, "left") ==
               std::ranges::count(agent.actions, "right");
    });
}

/// Seeds of random worlds with humans in which a mirror exchanges nothing but left and right.
std::vector<std::uint64_t> seedsOfMirrorWorlds(std::size_t count) {
    std::vector<std::uint64_t> seeds;
    for (std::uint64_t seed = 1; seeds.size() < count; ++seed) {
        const reference::RandomWorld random = randomMirrorWorld(seed);
        if (!hasARowForEachAgent(random.map)) continue;
        const GridWorld world(specOf(random));
        if (!world.humans().empty() && turnsBothWays(world)) seeds.push_back(seed);
    }
    return seeds;
}

}  // namespace

/// A world and its mirror image have the same values, with left and right exchanged.
class MirrorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void randomWorldsAndTheirMirrorImagesHaveEqualValues_data() {
        QTest::addColumn<quint64>("seed");
        for (const std::uint64_t seed : seedsOfMirrorWorlds(50))
            QTest::addRow("seed %d", static_cast<int>(seed)) << quint64{seed};
    }
    void randomWorldsAndTheirMirrorImagesHaveEqualValues() {
        QFETCH(quint64, seed);
        const reference::RandomWorld random = randomMirrorWorld(seed);
        const GridWorldSpec spec = specOf(random);
        const auto graph = explore(std::make_shared<GridWorld>(spec), {.threads = 2});
        const auto turned = explore(std::make_shared<GridWorld>(mirrored(spec)), {.threads = 2});
        const auto note = [&random](const char* what) {
            return QByteArray::fromStdString(std::string(what) + " in\n" + random.text());
        };
        for (int step = 0; step < graph->numLevels(); ++step)
            QVERIFY2(graph->levelSize(step) == turned->levelSize(step), note("level sizes"));
        QVERIFY2(graph->counts().transitionEntries == turned->counts().transitionEntries,
                 note("entries"));
        const SolveSpec solveSpec = test::sampleSpec(seed);
        const auto a = solve(graph, solveSpec);
        const auto b = solve(turned, solveSpec);
        VERIFY_NONE(
            test::differences(a->values({0, 0}), turnedBack(b->values({0, 0}), turned->world())));
        checkSums(a->checksums(2), b->checksums(2));
    }

private:
    static void checkSums(const Solution::Checksums& a, const Solution::Checksums& b) {
        for (const auto& [x, y] :
             {std::pair{a.sum_v_r, b.sum_v_r}, std::pair{a.min_v_r, b.min_v_r},
              std::pair{a.sum_v_h_e, b.sum_v_h_e}, std::pair{a.sumPhase1, b.sumPhase1}})
            QVERIFY2(std::abs(x - y) <= 1e-9 * std::abs(x),
                     qPrintable(QString("%1 %2").arg(x, 0, 'g', 17).arg(y, 0, 'g', 17)));
    }
};

ORRERY_TEST(MirrorTest)
#include "mirror_test.moc"
