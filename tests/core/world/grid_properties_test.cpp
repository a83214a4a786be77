#include <QTest>
#include <cmath>
#include <map>
#include <set>

#include "core/base/rng.h"
#include "tests/core/world/grid_bridge.h"
#include "tests/support/random_world.h"
#include "tests/support/reference_graph.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::reference;
using orrery::test::gridStateOf;
using orrery::test::refStateOf;
using orrery::test::specOf;

namespace {

/// Empty if nothing in the state contradicts the rules; otherwise what does.
std::string impossibility(const RefWorld& world, const RefState& s) {
    std::map<Cell, const Fixture*> fixtureAt;
    for (const Fixture& f : s.fixtures) fixtureAt[f.at] = &f;
    std::set<Cell> taken;
    const auto take = [&](Cell c, bool isAgent) -> std::string {
        if (!taken.insert(c).second) return "two things in one cell";
        const Ground ground = world.groundAt(c);
        if (ground == Ground::Wall || ground >= Ground::KillButton) return "inside a wall";
        if (ground == Ground::Door && !fixtureAt.at(c)->open) return "in a closed door";
        if (!isAgent &&
            (ground == Ground::MagicWall || (ground == Ground::Bush && !fixtureAt.at(c)->trampled)))
            return "a thing in a bush or magic wall";
        return {};
    };
    std::string text;
    std::size_t numItems = s.items.size();
    for (const AgentState& a : s.agents) {
        text += take(a.at, true);
        if (world.groundAt(a.at) == Ground::Lava && !a.terminated) text += "alive in lava";
        numItems += a.carried.has_value();
    }
    for (const Mobile& m : s.mobile) text += take(m.at, false);
    for (const ItemAt& item : s.items) text += take(item.at, false);
    if (s.mobile.size() != world.start.mobile.size()) text += "a block is lost";
    std::size_t numBoxes = 0;
    for (const ItemAt& item : world.start.items) numBoxes += item.type == ItemType::Box;
    if (numItems > world.start.items.size() || numItems + numBoxes < world.start.items.size())
        text += "an item is lost";
    for (const Fixture& f : s.fixtures)
        if (f.locked && f.open) text += "a door locked and open";
    return text;
}

}  // namespace

/// What must hold in every world, whatever its rules.
class GridPropertiesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsAreDistributionsOverPossibleStates() {
        long numRows = 0;
        for (std::uint64_t seed = 50000; numRows < 200000; ++seed) {
            const RandomWorld random = randomWorld(seed);
            const RefWorld ref = random.world();
            const GridWorld world(specOf(random.map, random.parameters));
            const auto words = static_cast<std::size_t>(world.keyWords());
            const auto expander = world.makeExpander();
            Rng rng(seed, 6);
            Expansion rows;
            for (int k = 0; k < (world.numProfiles() > 500 ? 1 : 5); ++k) {
                const RefState state = k == 0 ? ref.start : scatteredState(ref, rng);
                expander->expand(world.pack(gridStateOf(ref, state)), state.t, rows);
                QCOMPARE(rows.count.size(), static_cast<std::size_t>(world.numProfiles()));
                std::size_t entry = 0;
                for (const int count : rows.count) {
                    QVERIFY(count > 0);
                    double sum = 0.0, last = 2.0;
                    std::set<std::vector<std::uint64_t>> successors;
                    for (int j = 0; j < count; ++j, ++entry) {
                        const double p = rows.probability[entry];
                        QVERIFY(p >= 0.0 && p <= last);
                        sum += last = p;
                        const Configuration next(&rows.key[entry * words],
                                                 &rows.key[entry * words] + words);
                        QVERIFY(successors.insert(next).second);
                        const std::string text =
                            impossibility(ref, refStateOf(ref, world.unpack(next), 1));
                        QVERIFY2(
                            text.empty(),
                            (text + "\n" + random.text() + "\n" + canonicalText(state)).c_str());
                    }
                    QVERIFY(std::abs(sum - 1.0) < 1e-12);
                    ++numRows;
                }
                QCOMPARE(entry * words, rows.key.size());
            }
        }
    }

    void noReachableStateIsLostOrInvented() {
        int numWorlds = 0;
        long numStates = 0;
        RandomWorldLimits limits;
        limits.maxAgents = 3;
        limits.maxSteps = 3;
        for (std::uint64_t seed = 90000; numWorlds < 120; ++seed) {
            const RandomWorld random = randomWorld(seed, limits);
            const RefWorld ref = random.world();
            if (ref.numProfiles() > 64) continue;
            ++numWorlds;
            std::set<std::string> want, got;
            for (const RefState& s : exploreAll(ref).states) want.insert(canonicalText(s));

            const GridWorld world(specOf(random.map, random.parameters));
            const auto words = static_cast<std::size_t>(world.keyWords());
            const auto expander = world.makeExpander();
            std::set<Configuration> level = {world.initialConfiguration()};
            for (int t = 0; t <= world.maxSteps(); ++t) {
                std::set<Configuration> next;
                for (const Configuration& c : level) {
                    got.insert(canonicalText(refStateOf(ref, world.unpack(c), t)));
                    if (t == world.maxSteps()) continue;
                    Expansion rows;
                    expander->expand(c, t, rows);
                    for (std::size_t k = 0; k < rows.key.size(); k += words)
                        next.emplace(&rows.key[k], &rows.key[k] + words);
                }
                level = next;
            }
            QVERIFY2(want == got, random.text().c_str());
            numStates += static_cast<long>(got.size());
        }
        QVERIFY(numStates > 10000);
    }

    void theSameStateAlwaysHasTheSameRows() {
        // One expander after many other states, and a fresh one, give bit-equal rows.
        for (std::uint64_t seed = 70000; seed < 70200; ++seed) {
            const RandomWorld random = randomWorld(seed);
            const RefWorld ref = random.world();
            const GridWorld world(specOf(random.map, random.parameters));
            if (world.numProfiles() > 500) continue;
            const auto used = world.makeExpander();
            Rng rng(seed, 8);
            Expansion first, again;
            for (int k = 0; k < 10; ++k) {
                const Configuration key = world.pack(gridStateOf(ref, scatteredState(ref, rng)));
                used->expand(key, 0, first);
                world.makeExpander()->expand(key, 5, again);
                QVERIFY(first.count == again.count);
                QVERIFY(first.probability == again.probability);
                QVERIFY(first.key == again.key);
            }
        }
    }
};

ORRERY_TEST(GridPropertiesTest)
#include "grid_properties_test.moc"
