#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <optional>

#include "core/run/jobs/train_job.h"
#include "counts.h"
#include "fault_sweep.h"
#include "tests/core/run/small_world.h"
#include "tests/support/fast_folder.h"
#include "tests/support/test_program.h"
#include "victims.h"

using namespace orrery;

namespace {

constexpr int kFaultSteps = 20;

}  // namespace

/// A training of 20 steps, with a fault at each of its places around files and database in turn: it
/// leaves a sound workspace, all that it acknowledged, and can be resumed to the same end.
class TrainFaultTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder{fastFolder()};
    std::optional<test::FaultSweep> m_sweep;

private Q_SLOTS:
    void initTestCase() {
        const std::string world = m_folder.filePath("small.yaml").toStdString();
        std::ofstream(world) << smallWorld(4);
        RunSpec spec = test::victimSpec(world, false, kFaultSteps);
        spec.job.as<TrainJob>().cadence.metricInterval = 10;
        m_sweep.emplace(spec, kFaultSteps);
        QCOMPARE(m_sweep->problem(), QString());
    }

    void aFaultAtAnyPlaceLeavesASoundTraining_data() {
        QTest::addColumn<QByteArray>("prefix");
        QTest::addColumn<QByteArray>("action");
        for (const char* const prefix : {"file.*", "db.*", "ckpt.*", "folder.make"})
            for (const char* const action :
                 {"kill", "enospc", "eio", "eintr", "short", "emfile", "erofs", "throw"})
                if (QByteArray(action) != "short" || QByteArray(prefix) == "file.*")
                    QTest::addRow("%s %s", prefix, action)
                        << QByteArray(prefix) << QByteArray(action);
    }
    void aFaultAtAnyPlaceLeavesASoundTraining() {
        QFETCH(QByteArray, prefix);
        QFETCH(QByteArray, action);
        const auto outcome = m_sweep->withFault(prefix.toStdString(), action.toStdString(),
                                                test::hasFullCounts() ? 1 : 20);
        QVERIFY2(outcome.problem.isEmpty(), qPrintable(outcome.problem));
        qInfo("%s", qPrintable(outcome.summary()));
        QVERIFY(outcome.tried > 0);
    }

    void aDiskThatStaysFullHaltsTheTraining_data() {
        QTest::addColumn<QByteArray>("prefix");
        for (const char* const prefix : {"file.*", "db.*", "ckpt.*"})
            QTest::newRow(prefix) << QByteArray(prefix);
    }
    void aDiskThatStaysFullHaltsTheTraining() {
        QFETCH(QByteArray, prefix);
        constexpr int kAll = 1 << 20;
        const auto outcome =
            m_sweep->withFullDisk(prefix.toStdString(), test::hasFullCounts() ? kAll : 3);
        QVERIFY2(outcome.problem.isEmpty(), qPrintable(outcome.problem));
        QVERIFY(outcome.blocked > 0);
    }
};

ORRERY_APPLICATION_TEST(TrainFaultTest)
#include "train_fault_test.moc"
