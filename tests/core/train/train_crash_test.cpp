#include <signal.h>

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/base/rng.h"
#include "core/history/workspace.h"
#include "core/run/jobs/train_job.h"
#include "counts.h"
#include "kill_loop.h"
#include "tests/support/test_program.h"
#include "victims.h"

using namespace orrery;
using test::contentOf;
using test::counted;
using test::problemOf;
using test::VictimEnd;
using test::VictimOrder;
using test::Victims;

namespace {

constexpr double kWindow = 1;    ///< seconds of points that may be lost, in 99 of 100 kills
constexpr double kMostLost = 2;  ///< in any

constexpr const char* kWorld =
    "map: |\n"
    "  We We We We We We\n"
    "  We Ae Ro .. .. We\n"
    "  We We Ay We We We\n"
    "  We We We We We We\n"
    "max_steps: 6\n"
    "orientations: [0, 3]\n"
    "possible_goals: [[2, 1], [1, 1], [3, 1], [2, 2], [4, 1], [1, 1, 4, 2]]\n";

/// The curves of the only run, without what measures time.
std::map<std::string, std::vector<std::pair<std::int64_t, double>>> curvesOf(
    const std::string& workspace) {
    std::map<std::string, std::vector<std::pair<std::int64_t, double>>> curves;
    const auto opened = Workspace::open(workspace, Workspace::Mode::ReadOnly);
    const HistoryReader reader = opened->reader();
    for (const char* const key :
         {"Loss/v_h_e", "Loss/x_h", "Loss/q_r", "Exact/v_h_e", "Exact/pi_r"})
        for (const MetricRow& row : reader.metrics("r00001", key))
            curves[key].emplace_back(row.step, row.value);
    return curves;
}

/// Steps of the checkpoints that the history lists, newest first.
std::vector<std::int64_t> listedSteps(const std::string& workspace) {
    std::vector<std::int64_t> steps;
    const auto opened = Workspace::open(workspace, Workspace::Mode::ReadOnly);
    for (const CheckpointRow& row : opened->reader().checkpoints("r00001"))
        steps.push_back(row.step);
    return steps;
}

}  // namespace

/// Trainings that die: whatever was said to be saved is there, and they end as if nothing had been.
class TrainCrashTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    Victims m_victims;

    std::string path(const QString& name) const { return m_folder.filePath(name).toStdString(); }
    VictimOrder order(const QString& name, const RunSpec& spec) const {
        VictimOrder order{.workspace = path(name + ".orrery"), .spec = path(name + ".json")};
        std::ofstream(order.spec) << toJson(spec);
        return order;
    }

private Q_SLOTS:
    void initTestCase() { std::ofstream(path("rock.yaml")) << kWorld; }

    void aKillAtAnyInstantLosesNothingThatWasSaved_data() {
        QTest::addColumn<bool>("savesOften");
        QTest::addColumn<double>("longest");  // ms
        QTest::newRow("saved every few milliseconds") << true << 1500.0;
        QTest::newRow("saved once a second") << false << 3000.0;
    }
    void aKillAtAnyInstantLosesNothingThatWasSaved() {
        QFETCH(bool, savesOften);
        QFETCH(double, longest);
        constexpr int kSteps = 12'000;
        RunSpec spec = test::victimSpec(path("rock.yaml"), false, kSteps);
        spec.job.as<TrainJob>().cadence = {.metricInterval = savesOften ? 20 : 500,
                                           .checkpointSeconds = savesOften ? 0 : 1.2,
                                           .checkpointSteps = savesOften ? 200 : 0};
        const QString name = savesOften ? "often" : "seldom";
        const VictimOrder straight = order(name + "-straight", spec);
        QCOMPARE(m_victims.run(straight).state, std::string("finished"));
        const auto expected = contentOf(straight.workspace, kSteps);
        QVERIFY(expected.size() >= 6);

        const test::Kills kills =
            test::killAtAnyInstant({order(name + "0", spec), order(name + "1", spec)},
                                   counted(1000) / 2, longest, kSteps, expected);
        QVERIFY2(kills.problem.isEmpty(), qPrintable(kills.problem));
        qInfo("%s", qPrintable(kills.summary()));
        QVERIFY(kills.interrupted >= counted(1000) / 2 - 1);
        QVERIFY2(5 * kills.interrupted >= 4 * kills.attempts, "too few were really interrupted");
        QVERIFY(kills.mostLost() <= kMostLost);
        // Of few kills it is the greatest.
        if (test::hasFullCounts()) QVERIFY(kills.commonlyLost() <= kWindow);
    }

    void aResumedTrainingEqualsOneThatWasNotKilled_data() {
        QTest::addColumn<bool>("hasNetworks");
        QTest::newRow("tables") << false;
        QTest::newRow("networks with dropout") << true;
    }
    void aResumedTrainingEqualsOneThatWasNotKilled() {
        QFETCH(bool, hasNetworks);
        constexpr int kSteps = 200;
        RunSpec spec = test::victimSpec(path("rock.yaml"), hasNetworks, kSteps);
        spec.job.as<TrainJob>().cadence.checkpointSteps = 40;
        const QString name = hasNetworks ? "networks" : "tables";
        const VictimOrder straight = order(name, spec);
        QCOMPARE(m_victims.run(straight).state, std::string("finished"));
        const auto expected = contentOf(straight.workspace, kSteps);
        const auto curves = curvesOf(straight.workspace);
        QVERIFY(curves.at("Loss/v_h_e").size() > 80);
        Rng rng(21, hasNetworks ? 1 : 0);
        for (int i = 0; i < counted(20, 5); ++i) {
            const auto step = 1 + rng.below(kSteps);
            VictimOrder broken = order(name + QString::number(i), spec);
            broken.faults = "train.step:kill@" + std::to_string(step);
            const VictimEnd end = m_victims.run(broken);
            QCOMPARE(end.signal, SIGKILL);
            QCOMPARE(test::newestStep(broken.workspace),
                     step <= 40 ? -1 : static_cast<std::int64_t>((step - 1) / 40 * 40));
            broken.faults.clear();
            QCOMPARE(m_victims.run(broken).state, std::string("finished"));
            QVERIFY2(contentOf(broken.workspace, kSteps) == expected, std::to_string(step).c_str());
            QVERIFY2(curvesOf(broken.workspace) == curves, std::to_string(step).c_str());
        }
    }

    void aCheckpointThatWasNotListedIsGoneOnFromWithoutAGap() {
        constexpr int kSteps = 200;
        RunSpec spec = test::victimSpec(path("rock.yaml"), false, kSteps);
        spec.job.as<TrainJob>().cadence.checkpointSteps = 40;
        const VictimOrder straight = order("listed", spec);
        QCOMPARE(m_victims.run(straight).state, std::string("finished"));
        const auto curves = curvesOf(straight.workspace);
        for (int place = 1; place <= 4; ++place) {
            VictimOrder broken = order("unlisted" + QString::number(place), spec);
            broken.faults = "ckpt.after_sync:kill@" + std::to_string(place);
            QCOMPARE(m_victims.run(broken).signal, SIGKILL);
            QCOMPARE(test::newestStep(broken.workspace), std::int64_t{40} * place);
            broken.faults.clear();
            QCOMPARE(m_victims.run(broken).state, std::string("finished"));
            QVERIFY2(contentOf(broken.workspace, kSteps) == contentOf(straight.workspace, kSteps),
                     std::to_string(place).c_str());
            QVERIFY2(curvesOf(broken.workspace) == curves, std::to_string(place).c_str());
            QCOMPARE(problemOf(broken.workspace, 0), QString());
            QCOMPARE(listedSteps(broken.workspace), listedSteps(straight.workspace));
        }
    }
};

ORRERY_APPLICATION_TEST(TrainCrashTest)
#include "train_crash_test.moc"
