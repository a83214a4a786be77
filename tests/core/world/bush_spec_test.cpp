#include <QTest>
#include <set>

#include "core/base/error.h"
#include "core/bush/bush_world.h"
#include "tests/core/world/bush_spec.h"
#include "tests/support/test_program.h"

using namespace orrery;
using orrery::test::BushMap;
using orrery::test::bushSpecOf;

namespace {

bool hasProblem(const BushWorldSpec& spec, const std::string& field, const QByteArray& words,
                int row, int column, bool warning) {
    for (const SpecProblem& problem : validateBush(spec))
        if (problem.field == field && QByteArray::fromStdString(problem.text).contains(words) &&
            problem.row == row && problem.column == column && problem.isWarning == warning)
            return true;
    return false;
}

/// One thing made wrong in a good spec, and how it is named.
struct Wrong {
    const char* field;
    const char* words;
    int row, column;
    bool isWarning;
    void (*edit)(BushWorldSpec& spec);
};

constexpr Goal kCorner{0, 0, 0, 0, false};

const Wrong kWrong[] = {
    {"map", "unknown cell \"Rx\"", 0, 1, false, [](auto& s) { s.map[0][1] = "Rx"; }},
    {"map", "density 5 is not in 0 to B = 4", 1, 0, false, [](auto& s) { s.map[1][0] = "5"; }},
    {"map", "density -1 is not in", 1, 0, false, [](auto& s) { s.map[1][0] = "-1"; }},
    {"map", "1 cells, the first has 2", 1, -1, false, [](auto& s) { s.map[1] = {"Hu"}; }},
    {"map", "has no cells", -1, -1, false, [](auto& s) { s.map.clear(); }},
    {"map", "has no agent", -1, -1, false, [](auto& s) { s.map = {{"1"}}; }},
    {"map", "9 agents", -1, -1, false,
     [](auto& s) { s.map = {std::vector<std::string>(9, "Hu")}; }},
    {"B", "got 0", -1, -1, false, [](auto& s) { s.capacity = 0; }},
    {"max_steps", "got -1", -1, -1, false, [](auto& s) { s.maxSteps = -1; }},
    {"fill_density", "got 5", -1, -1, false, [](auto& s) { s.fillDensity = 5; }},
    {"possible_goals", "72 goals", -1, -1, false,
     [](auto& s) {
         s.map = BushMap(8, std::vector<std::string>(9, "0"));
         s.map[0][0] = "Hu";
     }},
    {"possible_goals", "not inside", 0, -1, false,
     [](auto& s) {
         s.possibleGoals = {{0, 0, 2, 0, true}};
     }},
    {"possible_goals", "wrong order", 1, -1, false,
     [](auto& s) {
         s.possibleGoals = {kCorner, {1, 0, 0, 0, true}};
     }},
    {"goal_weights", "3 weights for 4 goals", -1, -1, false,
     [](auto& s) {
         s.goalWeights = {1, 1, 1};
     }},
    {"goal_weights", "weight 0 must be positive", 1, -1, false,
     [](auto& s) {
         s.goalWeights = {1, 0, 1, 1};
     }},
    {"human_goals", "agent 0 is not a human", 0, -1, false,
     [](auto& s) {
         s.ownGoals = {{0, {kCorner}, {}}};
     }},
    {"human_goals", "two lists", 1, -1, false,
     [](auto& s) {
         s.ownGoals = {{1, {kCorner}, {}}, {1, {kCorner}, {}}};
     }},
    {"human_goals", "is empty", 0, -1, false,
     [](auto& s) {
         s.ownGoals = {{1, {}, {}}};
     }},
    {"map", "no human", -1, -1, true, [](auto& s) { s.map[1][1] = "0"; }},
    {"map", "no robot", -1, -1, true, [](auto& s) { s.map[0][0] = "0"; }},
    {"possible_goals", "do not cover 1,0 and 2 other cells", -1, -1, true,
     [](auto& s) { s.possibleGoals = {kCorner}; }},
    {"goal_weights", "sum to 2.5, not 1", -1, -1, true,
     [](auto& s) {
         s.goalWeights = {1, 0.5, 0.5, 0.5};
     }},
};

}  // namespace

/// Goals, problems and content hash of the spec of a bush world.
class BushSpecTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goalsDefaultToEverySingleCell() {
        const BushWorld world(bushSpecOf({{"Ro", "2"}, {"0", "Hu"}}, 4));
        QCOMPARE(world.goals().size(), std::size_t(1));
        const HumanGoals& own = world.goals()[0];
        QCOMPARE(own.agent, 1);
        QCOMPARE(own.goals.size(), std::size_t(4));
        QCOMPARE(goalText(own.goals[1]), std::string("1,0"));
        QCOMPARE(own.weights, std::vector<double>(4, 0.25));
        QCOMPARE(world.attainedGoals(world.initialConfiguration(), 0), std::uint64_t{8});
        QVERIFY(world.warnings().empty());
    }

    void ownGoalsAndWeightsWinOverTheCommonList() {
        BushWorldSpec spec = bushSpecOf({{"Hu", "1", "Hu"}}, 4);
        spec.possibleGoals = {{0, 0, 1, 0, true}, {2, 0, 2, 0, false}};
        spec.goalWeights = {2, 3};
        spec.ownGoals = {{1, {{0, 0, 0, 0, false}}, {}}};
        const BushWorld world(spec);
        QCOMPARE(world.goals()[0].weights, (std::vector<double>{2, 3}));
        QCOMPARE(goalText(world.goals()[0].goals[0]), std::string("0,0 to 1,0"));
        QCOMPARE(world.goals()[1].goals.size(), std::size_t(1));
        QCOMPARE(world.goals()[1].weights, std::vector<double>{1});
        QCOMPARE(world.attainedGoals(world.initialConfiguration(), 0), std::uint64_t{1});
        QCOMPARE(world.attainedGoals(world.initialConfiguration(), 1), std::uint64_t{0});
    }

    void everyProblemIsNamedWithItsPlace_data() {
        QTest::addColumn<int>("which");
        for (int i = 0; i < static_cast<int>(std::size(kWrong)); ++i)
            QTest::addRow("%d %s", i, kWrong[i].words) << i;
    }
    void everyProblemIsNamedWithItsPlace() {
        QFETCH(int, which);
        const Wrong& wrong = kWrong[which];
        BushWorldSpec spec = bushSpecOf({{"Ro", "2"}, {"0", "Hu"}}, 4);
        QVERIFY(validateBush(spec).empty());
        wrong.edit(spec);
        QVERIFY(
            hasProblem(spec, wrong.field, wrong.words, wrong.row, wrong.column, wrong.isWarning));
        if (wrong.isWarning) {
            QVERIFY(
                QByteArray::fromStdString(BushWorld(spec).warnings().at(0)).contains(wrong.words));
        } else {
            QVERIFY_THROWS_EXCEPTION(Error, BushWorld{spec});
        }
    }

    void contentHashChangesWithWhatMatters() {
        const BushWorldSpec base = bushSpecOf({{"Ro", "2"}, {"0", "Hu"}}, 4, 1);
        const std::string hash = BushWorld(base).contentHash();
        QCOMPARE(hash.size(), std::size_t(64));
        QCOMPARE(BushWorld(base).contentHash(), hash);
        BushWorldSpec named = base;
        named.metadata.name = "another name";
        QCOMPARE(BushWorld(named).contentHash(), hash);
        QCOMPARE(BushWorld(named).name(), std::string("another name"));
        std::vector<BushWorldSpec> others(7, base);
        others[0].capacity = 5;
        others[1].maxSteps = 4;
        others[2].fillDensity = 0;
        others[3].map[1][0] = "1";
        std::swap(others[4].map[0][0], others[4].map[1][1]);
        others[5].possibleGoals = {{0, 0, 1, 1, true}};
        others[6].goalWeights = {1, 1, 1, 1};
        std::set<std::string> hashes{hash};
        for (const BushWorldSpec& other : others) hashes.insert(BushWorld(other).contentHash());
        QCOMPARE(hashes.size(), std::size_t(8));
    }
};

ORRERY_TEST(BushSpecTest)
#include "bush_spec_test.moc"
