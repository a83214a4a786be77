#include <QTest>

#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/grid/grid_world.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// A walled room of that many free cells a side.
GridWorldSpec room(int side) {
    GridWorldSpec spec;
    std::string inside, wall;
    for (int x = 0; x < side; ++x) inside += "..";
    for (int x = 0; x < side + 2; ++x) wall += "We";
    spec.map.push_back(wall);
    for (int y = 0; y < side; ++y) spec.map.push_back("We" + inside + "We");
    spec.map.push_back(wall);
    spec.map[1].replace(2, 2, "Ay");
    return spec;
}

/// A room with one row of agents, humans and robots in turn.
GridWorldSpec crowd(int agents) {
    GridWorldSpec spec = room(agents);
    for (int i = 0; i < agents; ++i)
        spec.map[1].replace(std::size_t{2} * (i + 1), 2, i % 2 == 0 ? "Ay" : "Ae");
    spec.possibleGoals = {{1, 1, agents, agents, true}};
    return spec;
}

}  // namespace

class GridValidateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tooManyGoalsAreSaidAtOnce() {
        GridWorldSpec spec = room(300);
        spec.possibleGoals.assign(100'000, {1, 1, 300, 300, true});
        const double begin = threadCpuMs();
        const std::vector<SpecProblem> problems = validate(WorldSpec(spec));
        const double taken = threadCpuMs() - begin;
        QVERIFY2(taken < 2'000, qPrintable(QString::number(taken)));
        const auto isTold = [&](const SpecProblem& problem) {
            return problem.field == "possible_goals" && !problem.isWarning &&
                   problem.text == "has 100000 goals; 64 a human is the most";
        };
        QCOMPARE(std::ranges::count_if(problems, isTold), 1);
    }

    void sixtyFourGoalsAreFineAndSixtyFiveAreNot() {
        GridWorldSpec spec = room(9);
        for (int i = 0; i < 64; ++i)
            spec.possibleGoals.push_back({1 + i % 9, 1 + i / 9, 1 + i % 9, 1 + i / 9, false});
        const auto errors = [&] {
            return std::ranges::count(validate(WorldSpec(spec)), false, &SpecProblem::isWarning);
        };
        QCOMPARE(errors(), 0);
        spec.possibleGoals.push_back({9, 9, 9, 9, false});
        QCOMPARE(errors(), 1);
    }

    void manyAgentsAreAWarningAndAWorld() {
        const GridWorld few(crowd(10));
        QCOMPARE(few.profileCount(), 1048576.0);
        QVERIFY(!few.whyNotPlannable());
        QVERIFY(few.warnings().empty() || few.warnings()[0].find("solve") == std::string::npos);
        const GridWorld many(crowd(17));
        QCOMPARE(many.profileCount(), 17179869184.0);
        QVERIFY(many.whyNotPlannable().has_value());
        QVERIFY(many.warnings()[0].find("too many for a solve") != std::string::npos);
        QVERIFY_THROWS_EXCEPTION(Error, many.numProfiles());
    }

    void aWorldOfManyAgentsIsSteppedWithinItsFirstJointActions() {
        const GridWorld world(crowd(17));
        std::vector<int> actions(17, 0);
        actions[2] = 1;  // left
        QVERIFY(world.hasProfileIndex(actions));
        const ActionProfileIndex index = world.profileIndex(actions);
        QCOMPARE(index, ActionProfileIndex{16});
        QVERIFY(world.profileActions(index) == actions);
        const auto outcomes = world.outcomes(world.initialConfiguration(), 0, index);
        QCOMPARE(outcomes.size(), std::size_t{1});
        QVERIFY(outcomes[0].successor != world.initialConfiguration());
        actions[16] = 1;  // 4^16 = 2^32
        QVERIFY(!world.hasProfileIndex(actions));
        QVERIFY_THROWS_EXCEPTION(Error, world.profileIndex(actions));
    }
};

ORRERY_TEST(GridValidateTest)
#include "grid_validate_test.moc"
