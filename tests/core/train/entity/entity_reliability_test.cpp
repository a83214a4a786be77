#include <signal.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/history/workspace.h"
#include "core/run/jobs/entity_job.h"
#include "tests/core/train/counts.h"
#include "tests/core/train/fault_sweep.h"
#include "tests/core/train/kill_loop.h"
#include "tests/core/train/victims.h"
#include "tests/support/test_program.h"

using namespace orrery;
using test::VictimEnd;
using test::VictimOrder;

namespace {

constexpr std::int64_t kFrames = 32;  ///< of an update of a victim

/// How often to do what is done `full` times before a release: else a hundredth of that.
int hundredth(int full, int least) {
    return test::hasFullCounts() ? full : std::max(least, full / 100);
}

/// How many lines of the only run's log say that numbers were not finite.
int troublesIn(const std::string& workspace) {
    const auto opened = Workspace::open(workspace, Workspace::Mode::ReadOnly);
    int count = 0;
    for (const EventRow& event : opened->reader().events("r00001")) count += event.code == "nan";
    return count;
}

using Curves = std::map<std::string, std::vector<std::pair<std::int64_t, double>>>;

/// Some of the curves of the only run.
Curves entityCurvesOf(const std::string& workspace) {
    Curves curves;
    const auto opened = Workspace::open(workspace, Workspace::Mode::ReadOnly);
    const HistoryReader reader = opened->reader();
    for (const char* const key :
         {"losses/policy_loss", "losses/value_loss", "losses/gradnorm", "charts/learning_rate",
          "episodic_reward.mean", "reward.mean", "eval/episodic_reward.mean", "actions/Move/Up"})
        for (const MetricRow& row : reader.metrics("r00001", key))
            curves[key].emplace_back(row.step, row.value);
    return curves;
}

}  // namespace

/// Trainings among things that are killed, hindered or spoilt at any moment.
class EntityReliabilityTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    test::Victims m_victims;
    int m_runs = 0;
    std::unique_ptr<test::FaultSweep> m_sweep;

    VictimOrder order(const RunSpec& spec) {
        const std::string name = m_folder.filePath(QString("w%1").arg(++m_runs)).toStdString();
        VictimOrder order{.workspace = name + ".orrery", .spec = name + ".json"};
        std::ofstream(order.spec) << toJson(spec);
        return order;
    }

private Q_SLOTS:
    void aKillAtAnyInstantLosesNothingThatWasSaved() {
        constexpr int kUpdates = 300, kKills = 1000;
        RunSpec spec = test::entityVictimSpec(kUpdates);
        spec.job.as<EntityJob>().cadence.checkpointSteps = 5 * kFrames / 2;
        const VictimOrder straight = order(spec);
        QCOMPARE(m_victims.run(straight).state, std::string("finished"));
        const auto expected = test::contentOf(straight.workspace, kUpdates * kFrames);
        QVERIFY(expected.size() >= 4);
        const int wanted = hundredth(kKills, 10);
        const test::Kills kills = test::killAtAnyInstant({order(spec), order(spec)}, wanted, 3000,
                                                         kUpdates * kFrames, expected);
        QVERIFY2(kills.problem.isEmpty(), qPrintable(kills.problem));
        qInfo("%s", qPrintable(kills.summary()));
        QVERIFY(kills.interrupted >= wanted - 1);
        QVERIFY(kills.finished >= 2);
        QVERIFY(kills.mostLost() <= 2);
        if (test::hasFullCounts()) QVERIFY(kills.commonlyLost() <= 1);
    }

    void aResumedTrainingEqualsOneThatWasNotKilled() {
        constexpr int kUpdates = 20;
        const RunSpec spec = test::entityVictimSpec(kUpdates);
        const VictimOrder straight = order(spec);
        QCOMPARE(m_victims.run(straight).state, std::string("finished"));
        const auto expected = test::contentOf(straight.workspace, kUpdates * kFrames);
        const Curves curves = entityCurvesOf(straight.workspace);
        QCOMPARE(curves.size(), std::size_t{8});
        QCOMPARE(curves.at("losses/policy_loss").size(), std::size_t{kUpdates});
        Rng rng(25);
        for (int i = 0; i < hundredth(100, 2); ++i) {
            VictimOrder broken = order(spec);
            broken.faults = "train.step:kill@" + std::to_string(1 + rng.below(kUpdates));
            QCOMPARE(m_victims.run(broken).signal, SIGKILL);
            const std::string where = std::exchange(broken.faults, {});
            QCOMPARE(m_victims.run(broken).state, std::string("finished"));
            QVERIFY2(test::contentOf(broken.workspace, kUpdates * kFrames) == expected,
                     where.c_str());
            QVERIFY2(entityCurvesOf(broken.workspace) == curves, where.c_str());
        }
    }

    void aFaultAtAnyPlaceLeavesASoundTraining_data() {
        QTest::addColumn<QByteArray>("prefix");
        QTest::addColumn<QByteArray>("action");
        for (const char* const prefix : {"file.*", "db.*", "ckpt.*", "folder.make"})
            for (const char* const action : {"kill", "enospc", "eio", "throw"})
                QTest::addRow("%s %s", prefix, action) << QByteArray(prefix) << QByteArray(action);
    }
    void aFaultAtAnyPlaceLeavesASoundTraining() {
        QFETCH(QByteArray, prefix);
        QFETCH(QByteArray, action);
        if (!m_sweep)
            m_sweep = std::make_unique<test::FaultSweep>(test::entityVictimSpec(4), 4 * kFrames);
        QCOMPARE(m_sweep->problem(), QString());
        const auto outcome = m_sweep->withFault(prefix.toStdString(), action.toStdString(),
                                                test::hasFullCounts() ? 1 : 100);
        QVERIFY2(outcome.problem.isEmpty(), qPrintable(outcome.problem));
        qInfo("%s", qPrintable(outcome.summary()));
        QVERIFY(outcome.tried > 0);
    }

    void aValueThatIsNoNumberIsNeverLearned_data() {
        QTest::addColumn<QByteArray>("place");
        for (const char* const place : {"loss", "gradient", "reward"})
            QTest::newRow(place) << QByteArray(place);
    }
    void aValueThatIsNoNumberIsNeverLearned() {
        QFETCH(QByteArray, place);
        constexpr int kUpdates = 12;
        Rng rng(26, qHash(place));
        for (int i = 0; i < hundredth(40, 1); ++i) {
            RunSpec spec = test::entityVictimSpec(kUpdates);
            spec.seed = rng.below(1000);
            // Each update passes each place four times.
            const auto hit = std::to_string(1 + rng.below(std::uint64_t{4} * (kUpdates - 4)));
            VictimOrder once = order(spec);
            once.faults = place.toStdString() + ":nan@" + hit;
            const VictimEnd end = m_victims.run(once);
            QVERIFY2(end.state == "finished", end.text.c_str());
            QCOMPARE(troublesIn(once.workspace), 1);
            QVERIFY(test::isNewestFinite(once.workspace));
            QCOMPARE(test::problemOf(once.workspace), QString());

            VictimOrder always = order(spec);
            always.faults = place.toStdString() + ":nan@" + hit + "+";
            const VictimEnd diverged = m_victims.run(always);
            QVERIFY2(diverged.state == "diverged" && diverged.status == 4, diverged.text.c_str());
            QCOMPARE(troublesIn(always.workspace), 3);
            QVERIFY(test::newestStep(always.workspace) < kUpdates * kFrames);
            QVERIFY(test::isNewestFinite(always.workspace));
            QCOMPARE(test::problemOf(always.workspace), QString());
            // What is kept is from before, and leads where it would have.
            always.faults.clear();
            const VictimEnd resumed = m_victims.run(always);
            QVERIFY2(resumed.state == "finished", resumed.text.c_str());
            QVERIFY(test::isNewestFinite(always.workspace));
        }
    }
};

ORRERY_APPLICATION_TEST(EntityReliabilityTest)
#include "entity_reliability_test.moc"
