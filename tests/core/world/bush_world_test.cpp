#include "core/bush/bush_world.h"

#include <QTest>
#include <cmath>
#include <map>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "tests/core/world/bush_spec.h"
#include "tests/support/test_program.h"

using namespace orrery;
using orrery::test::BushMap;
using orrery::test::bushSpecOf;

namespace {

enum Action { North, West, South, East, Pass };

using Map = BushMap;
using Parts = BushWorld::Parts;

struct PlainOutcome {
    double probability;
    Parts parts;
};

std::vector<PlainOutcome> outcomesOf(const BushWorld& world, const Parts& from,
                                     const std::vector<int>& actions) {
    std::vector<PlainOutcome> result;
    for (const Outcome& outcome : world.outcomes(world.pack(from), 0, world.profileIndex(actions)))
        result.push_back({outcome.probability, world.unpack(outcome.successor)});
    return result;
}

Parts startOf(const BushWorld& world) {
    return world.unpack(world.initialConfiguration());
}

/// Spec 1.7 word for word: every subset of humans succeeds, impossible ones are left out.
std::map<std::pair<std::vector<int>, std::vector<int>>, double> plainStep(
    const BushWorldSpec& spec, int robots, const Parts& from, const std::vector<int>& actions) {
    const int height = static_cast<int>(spec.map.size());
    const int width = static_cast<int>(spec.map[0].size());
    const int agents = static_cast<int>(actions.size());
    std::map<std::pair<std::vector<int>, std::vector<int>>, double> result;
    for (int subset = 0; subset < (1 << agents); ++subset) {
        Parts to = from;
        double probability = 1;
        for (int i = 0; i < agents; ++i) {
            const bool lucky = (subset >> i & 1) != 0;
            const auto targetOf = [&](int agent) {
                const int x =
                    from.cells[agent] % width + (actions[agent] == East) - (actions[agent] == West);
                const int y = from.cells[agent] / width + (actions[agent] == South) -
                              (actions[agent] == North);
                if (x < 0 || y < 0 || x >= width || y >= height) return -1;
                return y * width + x;
            };
            double success = 0;  // what counts against luck
            const int target = targetOf(i);
            bool tries = actions[i] != Pass && target >= 0;
            for (int j = 0; j < agents; ++j) {
                if (from.cells[j] == target) tries = false;
                if (j < i && actions[j] != Pass && targetOf(j) == target) tries = false;
            }
            if (i < robots) {
                const int thinned = actions[i] == Pass ? from.cells[i] : tries ? target : -1;
                if (thinned >= 0) to.densities[thinned] = std::max(0, from.densities[thinned] - 1);
                if (tries) to.cells[i] = target;
            } else if (tries) {
                success = 1.0 - from.densities[target] / static_cast<double>(spec.capacity);
                if (lucky) to.cells[i] = target;
            }
            probability *= lucky ? success : 1 - success;
        }
        if (probability > 0) result[{to.cells, to.densities}] += probability;
    }
    return result;
}

BushWorldSpec randomSpec(Rng& rng) {
    const auto below = [&rng](int n) {
        return static_cast<int>(rng.below(static_cast<std::uint64_t>(n)));
    };
    const int width = 1 + below(4);
    const int height = 2 + below(3);
    const int capacity = 1 + below(6);
    Map map(static_cast<std::size_t>(height),
            std::vector<std::string>(static_cast<std::size_t>(width)));
    for (auto& row : map)
        for (auto& cell : row) cell = std::to_string(below(capacity + 1));
    map[0][0] = below(2) != 0 ? "Ro" : "Hu";
    for (int k = 0; k < 3; ++k) map[below(height)][below(width)] = below(2) != 0 ? "Ro" : "Hu";
    return bushSpecOf(map, capacity, below(capacity + 1), 5);
}

}  // namespace

/// The rules of the bush world, against a plain transcription, and how its states are packed.
class BushWorldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void robotsHaveTheLowestIndicesInRowMajorOrder() {
        const BushWorld world(bushSpecOf({{"Hu", "0", "Ro"}, {"Ro", "3", "Hu"}}, 4, 2));
        QStringList names;
        for (const AgentInfo& agent : world.agents()) names << QString::fromStdString(agent.name);
        QCOMPARE(names, (QStringList{"robot0", "robot1", "human0", "human1"}));
        QCOMPARE(world.robots(), (std::vector<int>{0, 1}));
        QCOMPARE(world.humans(), (std::vector<int>{2, 3}));
        const Parts start = startOf(world);
        QCOMPARE(start.cells, (std::vector<int>{2, 3, 0, 5}));
        QCOMPARE(start.densities, (std::vector<int>{2, 0, 2, 2, 3, 2}));
        QCOMPARE(world.profileText(world.profileIndex(std::vector<int>{0, 1, 3, 4})),
                 std::string("robot0: north, robot1: west, human0: east, human1: pass"));
    }

    // Ro 2 Hu with B = 4 and density 1 under the players: densities 1 2 1.
    void everySingleRuleGivesItsValues_data() {
        QTest::addColumn<std::vector<int>>("cells");
        QTest::addColumn<std::vector<int>>("densities");
        QTest::addColumn<std::vector<int>>("actions");
        QTest::addColumn<std::vector<double>>("probabilities");
        QTest::addColumn<std::vector<std::vector<int>>>("toCells");
        QTest::addColumn<std::vector<int>>("toDensities");
        using Ints = std::vector<int>;
        using Cells = std::vector<Ints>;
        using Reals = std::vector<double>;
        const auto row = [](const char* name, const Ints& cells, const Ints& densities,
                            const Ints& actions, const Reals& p, const Cells& toCells,
                            const Ints& toDensities) {
            QTest::newRow(name) << cells << densities << actions << p << toCells << toDensities;
        };
        row("a robot's move thins out the entered cell", {0, 2}, {1, 2, 1}, {East, Pass}, {1},
            {{1, 2}}, {1, 1, 1});
        row("a robot enters a clear cell", {0, 2}, {1, 0, 1}, {East, Pass}, {1}, {{1, 2}},
            {1, 0, 1});
        row("a robot's pass thins out its own cell", {0, 2}, {1, 2, 1}, {Pass, Pass}, {1}, {{0, 2}},
            {0, 2, 1});
        row("a pass leaves a clear cell clear", {0, 2}, {0, 2, 1}, {Pass, Pass}, {1}, {{0, 2}},
            {0, 2, 1});
        row("a human's pass thins out nothing", {0, 2}, {0, 2, 1}, {North, Pass}, {1}, {{0, 2}},
            {0, 2, 1});
        row("off the field is not a pass", {0, 2}, {1, 2, 1}, {West, Pass}, {1}, {{0, 2}},
            {1, 2, 1});
        row("a human enters with 1 - 2/4", {0, 2}, {1, 2, 1}, {North, West}, {0.5, 0.5},
            {{0, 2}, {0, 1}}, {1, 2, 1});
        row("a human enters with 1 - 1/4, likelier outcome first", {0, 2}, {1, 1, 1}, {North, West},
            {0.75, 0.25}, {{0, 1}, {0, 2}}, {1, 1, 1});
        row("a human enters a clear cell for certain", {0, 2}, {1, 0, 1}, {North, West}, {1},
            {{0, 1}}, {1, 0, 1});
        row("the robot's pass and the human's try at once", {0, 2}, {1, 1, 1}, {Pass, West},
            {0.75, 0.25}, {{0, 1}, {0, 2}}, {0, 1, 1});
        row("only the lowest index tries", {0, 2}, {1, 0, 1}, {East, West}, {1}, {{1, 2}},
            {1, 0, 1});
        row("nobody enters a cell that was taken before", {0, 1}, {1, 0, 0}, {East, East}, {1},
            {{0, 2}}, {1, 0, 0});
        row("no swapping", {0, 1}, {1, 1, 0}, {East, West}, {1}, {{0, 1}}, {1, 1, 0});
    }
    void everySingleRuleGivesItsValues() {
        QFETCH(std::vector<int>, cells);
        QFETCH(std::vector<int>, densities);
        QFETCH(std::vector<int>, actions);
        QFETCH(std::vector<double>, probabilities);
        QFETCH(std::vector<std::vector<int>>, toCells);
        QFETCH(std::vector<int>, toDensities);
        const BushWorld world(bushSpecOf({{"Ro", "2", "Hu"}}, 4, 1));
        const auto outcomes = outcomesOf(world, {cells, densities}, actions);
        QCOMPARE(outcomes.size(), probabilities.size());
        for (std::size_t k = 0; k < outcomes.size(); ++k) {
            QCOMPARE(outcomes[k].probability, probabilities[k]);
            QCOMPARE(outcomes[k].parts.cells, toCells[k]);
            QCOMPARE(outcomes[k].parts.densities, toDensities);
        }
    }

    void aHumanCannotEnterACellAsDenseAsB() {
        const BushWorld world(bushSpecOf({{"Hu", "3"}}, 3));
        const auto outcomes = outcomesOf(world, startOf(world), {East});
        QCOMPARE(outcomes.size(), std::size_t(1));
        QCOMPARE(outcomes[0].probability, 1.0);
        QCOMPARE(outcomes[0].parts.cells, std::vector<int>{0});
    }

    void aSecondHumanWaitsEvenIfTheFirstFails() {
        const BushWorld world(bushSpecOf({{"Hu", "1", "Hu"}}, 4));
        const auto outcomes = outcomesOf(world, startOf(world), {East, West});
        QCOMPARE(outcomes.size(), std::size_t(2));
        QCOMPARE(outcomes[0].probability, 0.75);
        QCOMPARE(outcomes[0].parts.cells, (std::vector<int>{1, 2}));
        QCOMPARE(outcomes[1].probability, 0.25);
        QCOMPARE(outcomes[1].parts.cells, (std::vector<int>{0, 2}));
    }

    void humansTryIndependently() {
        // human0 at 0,0 and human1 at 0,1 both go east into densities 1 and 3 of B = 4.
        const BushWorld world(bushSpecOf({{"Hu", "1"}, {"Hu", "3"}}, 4));
        const auto outcomes = outcomesOf(world, startOf(world), {East, East});
        QCOMPARE(outcomes.size(), std::size_t(4));
        const double probabilities[] = {0.5625, 0.1875, 0.1875, 0.0625};
        const std::vector<int> cells[] = {{1, 2}, {0, 2}, {1, 3}, {0, 3}};
        for (int k = 0; k < 4; ++k) {
            QCOMPARE(outcomes[k].probability, probabilities[k]);
            QCOMPARE(outcomes[k].parts.cells, cells[k]);
        }
    }

    void equalsThePlainTranscriptionOnRandomWorlds() {
        Rng rng(7);
        Expansion rows;
        int compared = 0;
        for (int round = 0; round < 200; ++round) {
            const BushWorldSpec spec = randomSpec(rng);
            const BushWorld world(spec);
            const auto words = static_cast<std::size_t>(world.keyWords());
            const auto expander = world.makeExpander();
            Configuration state = world.initialConfiguration();
            for (int visit = 0; visit < 4; ++visit) {
                expander->expand(state, 0, rows);
                QCOMPARE(rows.count.size(), std::size_t(world.numProfiles()));
                std::size_t entry = 0;
                bool deterministic = true;
                for (ActionProfileIndex p = 0; p < world.numProfiles(); ++p) {
                    const auto expected = plainStep(spec, static_cast<int>(world.robots().size()),
                                                    world.unpack(state), world.profileActions(p));
                    const std::vector<Outcome> single = world.outcomes(state, 0, p);
                    QCOMPARE(std::size_t(rows.count[p]), expected.size());
                    QCOMPARE(single.size(), expected.size());
                    if (expected.size() > 1) deterministic = false;
                    double last = 1;
                    for (const Outcome& outcome : single) {
                        QCOMPARE(rows.probability[entry], outcome.probability);
                        QVERIFY(std::equal(outcome.successor.begin(), outcome.successor.end(),
                                           rows.key.begin() + entry * words));
                        const Parts parts = world.unpack(outcome.successor);
                        const auto found = expected.find({parts.cells, parts.densities});
                        QVERIFY(found != expected.end());
                        QVERIFY(std::abs(found->second - outcome.probability) < 1e-15);
                        QVERIFY(outcome.probability <= last);
                        last = outcome.probability;
                        ++entry;
                        ++compared;
                    }
                }
                QCOMPARE(rows.deterministic, deterministic);
                const std::size_t next = rng.below(entry);
                state.assign(rows.key.begin() + next * words,
                             rows.key.begin() + (next + 1) * words);
            }
        }
        QVERIFY(compared > 50'000);
    }

    void keysHoldPositionsAndDensitiesInTheFewestBits() {
        // 2 bits for each of 2 agents; densities 1, 2 and 1 need 1, 2 and 1 bits.
        const BushWorld small(bushSpecOf({{"Ro", "2", "Hu"}}, 4, 1));
        QCOMPARE(small.keyBits(), 8);
        QCOMPARE(small.keyWords(), 1);
        QCOMPARE(BushWorld(bushSpecOf({{"Ro", "0", "Hu"}}, 4, 0)).keyBits(), 4);
        // 1 + 41 cells: 6 bits an agent, 3 bits a cell of density 5.
        Map map(6, std::vector<std::string>(7, "5"));
        map[2][3] = "Ro";
        BushWorldSpec spec = bushSpecOf(map, 9, 5);
        spec.possibleGoals = {{0, 0, 6, 5, true}};
        const BushWorld large(spec);
        QCOMPARE(large.keyBits(), 6 + 42 * 3);
        QCOMPARE(large.keyWords(), 3);
        Rng rng(3);
        for (int round = 0; round < 100; ++round) {
            Parts parts;
            parts.cells = {static_cast<int>(rng.below(42))};
            for (int cell = 0; cell < 42; ++cell)
                parts.densities.push_back(static_cast<int>(rng.below(6)));
            const Configuration key = large.pack(parts);
            QCOMPARE(large.unpack(key), parts);
            QCOMPARE(key[2] >> (large.keyBits() - 128), std::uint64_t{0});
        }
    }

    void packRejectsWhatCannotBe() {
        const BushWorld world(bushSpecOf({{"Ro", "2", "Hu"}}, 4, 1));
        QVERIFY_THROWS_EXCEPTION(Error, world.pack({{0, 3}, {1, 2, 1}}));
        QVERIFY_THROWS_EXCEPTION(Error, world.pack({{1, 1}, {1, 2, 1}}));
        QVERIFY_THROWS_EXCEPTION(Error, world.pack({{0, 2}, {1, 3, 1}}));
        QVERIFY_THROWS_EXCEPTION(Error, world.pack({{0}, {1, 2, 1}}));
    }

    void outcomesOfATerminalStateOrAnUnknownProfileAreRefused() {
        const BushWorld world(bushSpecOf({{"Ro", "2", "Hu"}}, 4, 1, 3));
        const Configuration start = world.initialConfiguration();
        QCOMPARE(world.outcomes(start, 2, 24).size(), std::size_t(1));
        QVERIFY_THROWS_EXCEPTION(Error, world.outcomes(start, 3, 0));
        QVERIFY_THROWS_EXCEPTION(Error, world.outcomes(start, 0, 25));
        QVERIFY_THROWS_EXCEPTION(Error, world.profileIndex(std::vector<int>{0, 5}));
        QVERIFY_THROWS_EXCEPTION(Error, world.profileIndex(std::vector<int>{0}));
        QVERIFY_THROWS_EXCEPTION(Error, world.profileActions(25));
        QCOMPARE(world.profileIndex(std::vector<int>{3, 4}), ActionProfileIndex{23});
        QCOMPARE(world.profileActions(23), (std::vector<int>{3, 4}));
    }

    void variablesSceneAndDescriptionTellTheState() {
        const BushWorld world(bushSpecOf({{"Ro", "2"}, {"0", "Hu"}}, 4, 1));
        QStringList names;
        for (const Variable& variable : world.variables())
            names << QString("%1 %2..%3")
                         .arg(QString::fromStdString(variable.name))
                         .arg(variable.low)
                         .arg(variable.high);
        QCOMPARE(names,
                 (QStringList{"robot0.x 0..1", "robot0.y 0..1", "human0.x 0..1", "human0.y 0..1",
                              "density_0_0 0..1", "density_1_0 0..2", "density_1_1 0..1"}));
        const Configuration state = world.pack({{1, 2}, {0, 2, 0, 1}});
        std::vector<int> values(world.variables().size());
        world.valuate(state, values);
        QCOMPARE(values, (std::vector<int>{1, 0, 0, 1, 0, 2, 1}));
        QCOMPARE(describe(world, state),
                 std::string("robot0 1,0; human0 0,1; density_1_0 2; density_1_1"));
        int floors = 0;
        QStringList rest;
        for (const Piece& piece : world.scene(state)) {
            if (piece.kind == PieceKind::Floor) {
                ++floors;
            } else if (piece.kind == PieceKind::Number) {
                rest << QString("%1,%2:%3").arg(piece.x).arg(piece.y).arg(piece.number);
            } else {
                QCOMPARE(piece.kind, PieceKind::Agent);
                QCOMPARE(int(piece.direction), 4);
                QCOMPARE(piece.isRobot, piece.agent == 0);
                QCOMPARE(piece.isHuman, piece.agent == 1);
                rest << QString("agent%1 %2,%3").arg(piece.agent).arg(piece.x).arg(piece.y);
            }
        }
        QCOMPARE(floors, 4);
        QCOMPARE(rest, (QStringList{"1,0:2", "1,1:1", "agent0 1,0", "agent1 0,1"}));
    }
};

ORRERY_TEST(BushWorldTest)
#include "bush_world_test.moc"
