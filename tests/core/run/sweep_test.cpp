#include "core/run/sweep.h"

#include <QTest>

#include "core/base/error.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run_name.h"
#include "small_world.h"
#include "tests/support/test_program.h"
using namespace orrery;

namespace {

SweepReading read(const std::vector<std::string>& texts) {
    return readSweep("solve", texts);
}

std::vector<std::string> textsOf(const SweepAxis& axis) {
    std::vector<std::string> texts;
    texts.reserve(axis.values.size());
    for (const FieldValue& value : axis.values) texts.push_back(fieldText(value));
    return texts;
}

bool mentions(const SweepReading& reading, const char* part) {
    for (const std::string& problem : reading.problems)
        if (problem.find(part) != std::string::npos) return true;
    for (const std::string& problem : reading.problems) qWarning("%s", problem.c_str());
    return false;
}

}  // namespace

class SweepTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aListKeepsItsOrder() {
        const auto reading = read({"beta_r=10, 1 ,inf,2.5"});
        QVERIFY(reading.problems.empty());
        QCOMPARE(reading.axes.size(), std::size_t{1});
        QCOMPARE(reading.axes[0].values.size(), std::size_t{4});
        QCOMPARE(std::get<double>(reading.axes[0].values[0]), 10.0);
        QCOMPARE(textsOf(reading.axes[0])[2], std::string("inf"));
        QCOMPARE(std::get<double>(reading.axes[0].values[3]), 2.5);
    }

    void aRangeTakesInBothEndsAndItsDecimals() {
        const auto reading = read({"zeta=1:1.4:0.1,3"});
        QVERIFY(reading.problems.empty());
        const std::vector<double> expected{1, 1.1, 1.2, 1.3, 1.4, 3};
        QCOMPARE(reading.axes[0].values.size(), expected.size());
        for (std::size_t k = 0; k < expected.size(); ++k)
            QCOMPARE(std::get<double>(reading.axes[0].values[k]), expected[k]);
        QCOMPARE(read({"beta_r=5:1:-2"}).axes[0].values.size(), std::size_t{3});
        QCOMPARE(read({"eta=1:2:0.4"}).axes[0].values.size(), std::size_t{3});
    }

    void choicesFlagsAndSeedsAreSweptToo() {
        const auto reading = read({"optimistic=true,false", "seed=1:3:1"});
        QVERIFY2(reading.problems.empty(),
                 reading.problems.empty() ? "" : reading.problems[0].c_str());
        QCOMPARE(numRuns(reading.axes), std::size_t{6});
    }

    void allProblemsAreToldAtOnce() {
        const auto reading = read({"beta_r=1,abc,-2,1", "zeto=3", "zeta"});
        QVERIFY(mentions(reading, "beta_r must be"));
        QVERIFY(mentions(reading, "'abc'"));
        QVERIFY(mentions(reading, "'-2'"));
        QVERIFY(mentions(reading, "beta_r has the value 1 twice"));
        QVERIFY(mentions(reading, "did you mean zeta?"));
        QVERIFY(mentions(reading, "NAME=VALUES, got 'zeta'"));
        QVERIFY(mentions(reading, "one or two parameters, got 3"));
    }

    void wrongRangesAndNamesAreRefused() {
        QVERIFY(mentions(read({"zeta=1:3"}), "FROM:TO:STEP"));
        QVERIFY(mentions(read({"zeta=1:3:0"}), "does not lead from 1 to 3"));
        QVERIFY(mentions(read({"zeta=1:3:-1"}), "does not lead"));
        QVERIFY(mentions(read({"zeta=1:1e9:0.1"}), "more than 10000"));
        QVERIFY(mentions(read({"zeta="}), "has no values"));
        QVERIFY(mentions(read({"zeta=1,,2"}), "empty value"));
        QVERIFY(mentions(read({"threads=1,2"}), "no parameter that can be swept"));
        QVERIFY(mentions(read({"gamma_h=0.9", "rho_h=0.1"}), "say the same"));
        QVERIFY(mentions(read({"xi=1", "xi=2"}), "given twice"));
        QVERIFY(mentions(read({"beta_r=1:200:1", "beta_h=1:100:1"}), "at most 10000 runs"));
        QVERIFY(mentions(read({"optimistic=0:1:1"}), "takes no range"));
    }

    void aRunWithoutANameIsNamedByWhatDiffers() {
        RunSpec spec;
        QCOMPARE(describeRun("Locked pantry", spec), std::string("Locked pantry"));
        spec.job.as<SolveJob>().solve.beta_r = 2.5;
        spec.job.as<SolveJob>().solve.threads = 1;  // changes no value
        spec.seed = 3;
        QCOMPARE(describeRun("Locked pantry", spec),
                 std::string("Locked pantry · beta_r 2.5 · seed 3"));
        QCOMPARE(describeRun("", spec), std::string("beta_r 2.5 · seed 3"));
    }

    void runsAreAllCombinationsWithNames() {
        const auto reading = read({"beta_r=1,2", "zeta=1:2:0.5"});
        const auto specs = sweepRuns(smallSolve(), reading.axes);
        QCOMPARE(specs.size(), std::size_t{6});
        QCOMPARE(specs[0].name, std::string("small · beta_r 1 · zeta 1"));
        QCOMPARE(specs[4].name, std::string("small · beta_r 2 · zeta 1.5"));
        QCOMPARE(specs[4].job.as<SolveJob>().solve.beta_r, 2.0);
        QCOMPARE(specs[4].job.as<SolveJob>().solve.zeta, 1.5);
        QCOMPARE(specs[4].job.as<SolveJob>().world.text, smallWorld(8));
    }

    void aSweptDiscountReplacesItsTwin() {
        RunSpec base = smallSolve();
        auto& solve = base.job.as<SolveJob>().solve;
        solve.gamma_r.reset();
        solve.rho_r = 0.1;
        const auto specs = sweepRuns(base, read({"gamma_r=0.9,1"}).axes);
        QVERIFY(!specs[1].job.as<SolveJob>().solve.rho_r);
        QCOMPARE(*specs[1].job.as<SolveJob>().solve.gamma_r, 1.0);
    }

    void theTagNamesParametersAndTime() {
        const auto axes = read({"beta_r=1,2", "zeta=1"}).axes;
        QCOMPARE(sweepTag(axes, "2026-03-01T12:34:56.789Z"),
                 std::string("sweep-beta_r-zeta-20260301-123456"));
    }
};

ORRERY_TEST(SweepTest)
#include "sweep_test.moc"
