#include <signal.h>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/base/rng.h"
#include "core/history/workspace.h"
#include "core/run/jobs/train_job.h"
#include "counts.h"
#include "step_clock.h"
#include "tests/support/test_program.h"
#include "victims.h"

using namespace orrery;
using test::contentOf;
using test::counted;
using test::problemOf;
using test::StepClock;
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

/// What many kills of one training came to.
struct Kills {
    int starts = 0, interrupted = 0, finished = 0;
    int attempts = 0;                     ///< starts that were to be killed
    int trained = 0;                      ///< kills after points were told
    std::vector<StepClock::Loss> losses;  ///< of each kill
    QString problem;                      ///< the first; empty: none
};

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

    /// Kills one training after the other, each again and again until it is finished.
    static void killAgainAndAgain(Kills& kills, VictimOrder order, int wanted, double longest,
                                  std::uint64_t seed, std::int64_t lastStep,
                                  const std::map<std::string, std::string>& expected) {
        Victims victims;
        Rng rng(20, seed);
        order.clock = order.workspace + ".clock";
        // The last one is resumed to its end.
        while (kills.problem.isEmpty() &&
               (kills.interrupted < wanted || std::filesystem::exists(order.workspace))) {
            const bool isLast = kills.interrupted >= wanted;
            const std::int64_t before = test::pointsIn(order.workspace);
            ++kills.starts;
            kills.attempts += isLast ? 0 : 1;
            std::filesystem::remove(order.clock);
            victims.start(order);
            // Evenly in the logarithm: the start is hit as often as the work.
            // Must wait for time: the kill comes at any moment.
            const double delay = 10 * std::pow(longest / 10, rng.uniform());
            if (!isLast && !victims.waitFor(std::chrono::microseconds(std::llround(delay * 1000))))
                victims.kill(SIGKILL);
            const VictimEnd end = victims.wait();
            const QString when = QString("start %1, %2 ms: ").arg(kills.starts).arg(delay);
            if (const QString found = problemOf(order.workspace, before + end.committed);
                !found.isEmpty())
                kills.problem = when + found;
            if (end.signal != 0) {
                ++kills.interrupted;
                const StepClock clock(order.clock, false);
                kills.trained += clock.points() > 0 ? 1 : 0;
                kills.losses.push_back(clock.lossBeyond(test::pointsIn(order.workspace) - before,
                                                        end.diedAt / std::chrono::nanoseconds(1)));
                // It may have died after its end was stored.
                if (!test::isFinished(order.workspace)) continue;
            } else if (end.state != "finished") {
                kills.problem = when + QString::fromStdString(end.state + ": " + end.text);
                continue;
            }
            ++kills.finished;
            if (contentOf(order.workspace, lastStep) != expected)
                kills.problem = when + "it ended otherwise than one that was not killed";
            std::filesystem::remove_all(order.workspace);
        }
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

        // Two trainings at once, each with half of the kills.
        std::array<Kills, 2> lanes;
        {
            std::vector<std::jthread> threads;
            threads.reserve(lanes.size());
            for (std::size_t i = 0; i < lanes.size(); ++i)
                threads.emplace_back([&, i] {
                    killAgainAndAgain(lanes[i], order(name + QString::number(i), spec),
                                      counted(1000) / 4, longest, i, kSteps, expected);
                });
        }
        Kills all;
        for (Kills& lane : lanes) {
            QVERIFY2(lane.problem.isEmpty(), qPrintable(lane.problem));
            all.starts += lane.starts;
            all.attempts += lane.attempts;
            all.interrupted += lane.interrupted;
            all.finished += lane.finished;
            all.trained += lane.trained;
            all.losses.insert(all.losses.end(), lane.losses.begin(), lane.losses.end());
        }
        std::vector<double> ages;
        std::int64_t points = 0;
        for (const StepClock::Loss& loss : all.losses) {
            ages.push_back(loss.seconds);
            points = std::max(points, loss.points);
        }
        std::ranges::sort(ages);
        const double most = ages.back();
        const double common = ages[(ages.size() - 1) * 99 / 100];
        qInfo(
            "%d of %d starts were killed, %d of them while points came; %d trainings finished; "
            "points lost: at most %.2f s, 99 of 100 at most %.2f s, at most %lld",
            all.interrupted, all.starts, all.trained, all.finished, most, common,
            static_cast<long long>(points));
        QVERIFY(all.interrupted >= counted(1000) / 2 - 1);
        QVERIFY2(5 * all.interrupted >= 4 * all.attempts, "too few were really interrupted");
        QVERIFY(most <= kMostLost);
        if (test::hasFullCounts()) QVERIFY(common <= kWindow);  // of few kills it is the greatest
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
