#include <QTest>
#include <map>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "tests/core/world/grid_bridge.h"
#include "tests/support/random_world.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::reference;
using orrery::test::gridStateOf;
using orrery::test::specOf;

using Rows = std::vector<std::string>;

namespace {

struct Keys {
    RandomWorld random;
    RefWorld ref;
    GridWorld product;

    explicit Keys(std::uint64_t seed)
        : random(randomWorld(seed)),
          ref(random.world()),
          product(specOf(random.map, random.parameters)) {}
};

}  // namespace

/// Configurations as bit strings.
class PackingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void packingAndUnpackingAreInverse() {
        for (std::uint64_t seed = 0; seed < 3000; ++seed) {
            const Keys keys(seed);
            Rng rng(seed, 4);
            for (int k = 0; k < 20; ++k) {
                const GridState state =
                    gridStateOf(keys.ref, k == 0 ? keys.ref.start : scatteredState(keys.ref, rng));
                const Configuration key = keys.product.pack(state);
                QCOMPARE(key.size(), static_cast<std::size_t>(keys.product.keyWords()));
                QVERIFY2(keys.product.unpack(key) == state, keys.random.text().c_str());
                QVERIFY(keys.product.pack(keys.product.unpack(key)) == key);
                const int spare = 64 * keys.product.keyWords() - keys.product.keyBits();
                if (spare > 0 && spare < 64) QCOMPARE(key.back() >> (64 - spare), std::uint64_t{0});
                if (spare == 64) QCOMPARE(key.back(), std::uint64_t{0});
            }
        }
    }

    void differentStatesHaveDifferentKeys() {
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            const Keys keys(seed);
            Rng rng(seed, 5);
            std::map<Configuration, RefState> known;
            for (int k = 0; k < 100; ++k) {
                const RefState state = scatteredState(keys.ref, rng);
                const Configuration key = keys.product.pack(gridStateOf(keys.ref, state));
                const auto [place, isNew] = known.emplace(key, state);
                QVERIFY2(isNew || place->second == state, keys.random.text().c_str());
            }
        }
    }

    void keysHaveNoMoreBitsThanTheWorldNeeds_data() {
        QTest::addColumn<Rows>("map");
        QTest::addColumn<QString>("actions");
        QTest::addColumn<int>("bits");
        const auto row = [](const char* name, const Rows& map, const char* actions, int bits) {
            QTest::newRow(name) << map << QString(actions) << bits;
        };
        row("two cells and a direction", {"WeWeWeWe", "WeAy..We", "WeWeWeWe"}, "SmallActions",
            1 + 2);
        row("five cells", {"WeWeWeWeWeWeWe", "WeAy........We", "WeWeWeWeWeWeWe"}, "SmallActions",
            3 + 2);
        row("cells beyond a wall do not count", {"WeWeWeWeWeWe", "WeAy..We..We", "WeWeWeWeWeWe"},
            "SmallActions", 1 + 2);
        row("a block in a row of three", {"WeWeWeWeWe", "WeAyBl..We", "WeWeWeWeWe"}, "SmallActions",
            2 + 2 + 2);
        row("a rock that nobody may push", {"WeWeWeWeWe", "WeAyRo..We", "WeWeWeWeWe"},
            "SmallActions", 2 + 2);
        row("lava makes one mortal", {"WeWeWeWe", "WeAyLaWe", "WeWeWeWe"}, "SmallActions",
            1 + 2 + 1);
        row("a door", {"WeWeWeWe", "WeAyCrWe", "WeWeWeWe"}, "ObjectActions", 1 + 2 + 1);
        row("a locked door has three states", {"WeWeWeWe", "WeAyLrWe", "WeWeWeWe"}, "ObjectActions",
            1 + 2 + 2);
        row("a door that nobody can toggle", {"WeWeWeWe", "WeAyCrWe", "WeWeWeWe"}, "SmallActions",
            1 + 2);
        row("a bush that nobody tramples", {"WeWeWeWe", "WeAyBuWe", "WeWeWeWe"}, "SmallActions",
            1 + 2);
        row("a bush and a robot", {"WeWeWeWe", "WeAeBuWe", "WeWeWeWe"}, "SmallActions", 1 + 2 + 1);
        row("a magic wall that nobody enters", {"WeWeWeWe", "WeAyMeWe", "WeWeWeWe"}, "SmallActions",
            0 + 2);
        row("a kill button and its victim", {"WeWeWeWeWe", "WeAyKiAeWe", "WeWeWeWeWe"},
            "ObjectActions", 2 + 2 + 1);
        row("a pause switch and its victim", {"WeWeWeWeWe", "WeAyPaAeWe", "WeWeWeWeWe"},
            "ObjectActions", 2 + 2 + 1 + 1);
        row("a key: on either cell, or in somebody's hands", {"WeWeWeWe", "WeAyKrWe", "WeWeWeWe"},
            "ObjectActions", 1 + 2 + 1 + 2);
        // Grey: forced none or one of 7; the button: awaiting, controlled none or one of 2, and 4
        // bits for the action.
        row("a control button", {"WeWeWeWeWe", "WeAyCBAeWe", "WeWeWeWeWe"}, "ObjectActions",
            2 + 2 + 3 + 1 + 2 + 4);
    }
    void keysHaveNoMoreBitsThanTheWorldNeeds() {
        QFETCH(Rows, map);
        QFETCH(QString, actions);
        QFETCH(int, bits);
        RefParameters p;
        p.actions = {actionSetNamed(actions.toStdString())};
        QCOMPARE(GridWorld(specOf(map, p)).keyBits(), bits);
    }

    void statesOfOtherWorldsAreRejected() {
        RefParameters p;
        p.actions = {actionSetNamed("ObjectActions")};
        const GridWorld world(specOf({"WeWeWeWeWe", "WeAy..LrWe", "WeWeWeWeWe"}, p));
        const GridState good = world.unpack(world.initialConfiguration());
        GridState inWall = good;
        inWall.agents[0].cell = 0;
        QVERIFY_THROWS_EXCEPTION(Error, world.pack(inWall));
        GridState twoAgents = good;
        twoAgents.agents.push_back(twoAgents.agents[0]);
        QVERIFY_THROWS_EXCEPTION(Error, world.pack(twoAgents));
        GridState noDoor = good;
        noDoor.doors.clear();
        QVERIFY_THROWS_EXCEPTION(Error, world.pack(noDoor));
        GridState dead = good;
        dead.agents[0].terminated = true;
        QVERIFY_THROWS_EXCEPTION(Error, world.pack(dead));
    }
};

ORRERY_TEST(PackingTest)
#include "packing_test.moc"
