#include <signal.h>

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/run/jobs/train_job.h"
#include "counts.h"
#include "tests/core/run/small_world.h"
#include "tests/support/fast_folder.h"
#include "tests/support/test_program.h"
#include "victims.h"

using namespace orrery;
using test::contentOf;
using test::problemOf;
using test::VictimEnd;
using test::VictimOrder;
using test::Victims;

namespace {

constexpr int kFaultSteps = 20;

}  // namespace

/// A training of 20 steps, with a fault at each of its places around files and database in turn: it
/// leaves a sound workspace, all that it acknowledged, and can be resumed to the same end.
class TrainFaultTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder{fastFolder()};
    Victims m_victims;
    std::map<std::string, std::string> m_expected;
    std::map<std::string, int> m_places;  ///< how many a prefix has
    int m_runs = 0;

    VictimOrder fresh() {
        if (m_runs > 0) std::filesystem::remove_all(path(m_runs));
        return {.workspace = path(++m_runs), .spec = m_folder.filePath("spec.json").toStdString()};
    }
    std::string path(int run) const {
        return m_folder.filePath(QString("w%1.orrery").arg(run)).toStdString();
    }

    /// How often a training passes points of a prefix.
    int placesOf(const std::string& prefix) {
        int& most = m_places[prefix];
        if (most > 0) return most;
        const auto isReached = [&](int n) {
            VictimOrder order = fresh();
            order.faults = prefix + ":kill@" + std::to_string(n);
            return m_victims.run(order).signal == SIGKILL;
        };
        int beyond = 1;
        while (isReached(beyond)) beyond *= 2;
        for (int low = beyond / 2; beyond - low > 1;) {
            const int middle = (low + beyond) / 2;
            (isReached(middle) ? low : beyond) = middle;
        }
        return most = beyond - 1;
    }

    /// Empty if all is well after a run with a fault.
    QString wrongAfter(const VictimOrder& order, const VictimEnd& end, bool mayDie) {
        if (end.isHanging) return QStringLiteral("it hangs");
        if (end.signal != 0 && !(mayDie && end.signal == SIGKILL))
            return QString("signal %1").arg(end.signal);
        if (end.signal == 0 && end.status != 0 && end.text.empty())
            return QString("status %1 without a word").arg(end.status);
        if (QString problem = problemOf(order.workspace, end.committed); !problem.isEmpty())
            return problem;
        if (!test::isFinished(order.workspace)) {
            VictimOrder again = order;
            again.faults.clear();
            again.cancelAfter = 0;
            const VictimEnd resumed = m_victims.run(again);
            if (resumed.state != "finished")
                return QString::fromStdString("not resumed: " + resumed.text);
            if (const QString problem = problemOf(order.workspace); !problem.isEmpty())
                return "resumed: " + problem;
        }
        if (contentOf(order.workspace, kFaultSteps) != m_expected)
            return QStringLiteral("it ended otherwise than without a fault");
        return {};
    }

private Q_SLOTS:
    void initTestCase() {
        const std::string world = m_folder.filePath("small.yaml").toStdString();
        std::ofstream(world) << smallWorld(4);
        RunSpec spec = test::victimSpec(world, false, kFaultSteps);
        spec.job.as<TrainJob>().cadence.metricInterval = 10;
        std::ofstream(m_folder.filePath("spec.json").toStdString()) << toJson(spec);
        const VictimOrder order = fresh();
        const VictimEnd end = m_victims.run(order);
        QVERIFY2(end.state == "finished", end.text.c_str());
        QVERIFY(end.committed > 0);
        m_expected = contentOf(order.workspace, kFaultSteps);
        QVERIFY(m_expected.size() >= 6);
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
        const int places = placesOf(prefix.toStdString());
        QVERIFY(places > 0);
        // Each action begins elsewhere, so that together they see more places.
        const int stride = test::hasFullCounts() ? 1 : 20;
        int tried = 0, unharmed = 0;
        for (int n = 1 + static_cast<int>(qHash(action) % uint(std::min(stride, places)));
             n <= places; n += stride, ++tried) {
            VictimOrder order = fresh();
            order.faults = (prefix + ":" + action + "@").toStdString() + std::to_string(n);
            const VictimEnd end = m_victims.run(order);
            if (action == "kill") QCOMPARE(end.signal, SIGKILL);
            unharmed += end.state == "finished" ? 1 : 0;
            const QString wrong = wrongAfter(order, end, action == "kill");
            QVERIFY2(wrong.isEmpty(),
                     qPrintable(QString("%1: %2 (%3)")
                                    .arg(QString::fromStdString(order.faults), wrong,
                                         QString::fromStdString(end.text))));
            // These are no faults to a program that looks at what system calls return.
            if (action == "eintr" && prefix == "file.*")
                QCOMPARE(end.state, std::string("finished"));
            if (action == "short") QCOMPARE(end.state, std::string("finished"));
        }
        qInfo("%d of %d places, %d trainings finished all the same", tried, places, unharmed);
        QVERIFY(tried > 0);
    }

    void aDiskThatStaysFullHaltsTheTraining_data() {
        QTest::addColumn<QByteArray>("prefix");
        for (const char* const prefix : {"file.*", "db.*", "ckpt.*"})
            QTest::newRow(prefix) << QByteArray(prefix);
    }
    void aDiskThatStaysFullHaltsTheTraining() {
        QFETCH(QByteArray, prefix);
        const int places = placesOf(prefix.toStdString());
        const int stride = test::hasFullCounts() ? 1 : std::max(1, places / 3);
        int blocked = 0;
        for (int n = 1 + stride / 2; n <= places; n += stride) {
            VictimOrder order = fresh();
            order.faults = (prefix + ":enospc@").toStdString() + std::to_string(n) + "+";
            order.cancelAfter = 300;
            const VictimEnd end = m_victims.run(order);
            blocked += end.state == "stopped" ? 1 : 0;
            const QString wrong = wrongAfter(order, end, false);
            QVERIFY2(wrong.isEmpty(),
                     qPrintable(QString("%1: %2 (%3)")
                                    .arg(QString::fromStdString(order.faults), wrong,
                                         QString::fromStdString(end.text))));
        }
        QVERIFY(blocked > 0);
    }
};

ORRERY_APPLICATION_TEST(TrainFaultTest)
#include "train_fault_test.moc"
