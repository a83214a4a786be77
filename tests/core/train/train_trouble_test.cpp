#include <signal.h>

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/base/rng.h"
#include "core/history/workspace.h"
#include "core/run/jobs/train_job.h"
#include "counts.h"
#include "tests/core/run/small_world.h"
#include "tests/support/fast_folder.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"
#include "victims.h"

using namespace orrery;
using test::counted;
using test::problemOf;
using test::VictimEnd;
using test::VictimOrder;
using test::Victims;

namespace {

constexpr int kTroubleSteps = 60;

/// How many lines of the only run's log have this code.
int countOf(const std::string& workspace, std::string_view code) {
    const auto opened = Workspace::open(workspace, Workspace::Mode::ReadOnly);
    int count = 0;
    for (const EventRow& event : opened->reader().events("r00001")) count += event.code == code;
    return count;
}

}  // namespace

/// Trainings with numbers that are not finite, actors that fail and memory that runs out.
class TrainTroubleTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder{fastFolder()};
    Victims m_victims;
    int m_runs = 0;

    std::string path(const QString& name) const { return m_folder.filePath(name).toStdString(); }
    VictimOrder order(const RunSpec& spec) {
        const QString name = QString("w%1").arg(++m_runs);
        VictimOrder order{.workspace = path(name + ".orrery"), .spec = path(name + ".json")};
        std::ofstream(order.spec) << toJson(spec);
        return order;
    }
    RunSpec spec(bool hasNetworks, std::uint64_t seed) const {
        RunSpec spec = test::victimSpec(path("small.yaml"), hasNetworks, kTroubleSteps);
        spec.seed = seed;
        return spec;
    }
    RunSpec threads(int actors, std::uint64_t seed) const {
        RunSpec spec = test::victimSpec(path("small.yaml"), false, 2000);
        spec.seed = seed;
        EmpoSpec& empo = spec.job.as<TrainJob>().empo;
        empo.isAsync = true;
        empo.numCollectors = actors;
        empo.minBufferSize = 50;
        return spec;
    }

private Q_SLOTS:
    void initTestCase() { std::ofstream(path("small.yaml")) << smallWorld(4); }

    void aValueThatIsNoNumberIsNeverLearned_data() {
        QTest::addColumn<QByteArray>("place");
        QTest::addColumn<bool>("hasNetworks");
        for (const char* const place : {"loss", "gradient", "target", "observation"})
            for (const bool hasNetworks : {false, true})
                if (hasNetworks || QByteArray(place) != "observation")
                    QTest::addRow("%s, %s", place, hasNetworks ? "networks" : "tables")
                        << QByteArray(place) << hasNetworks;
    }
    void aValueThatIsNoNumberIsNeverLearned() {
        QFETCH(QByteArray, place);
        QFETCH(bool, hasNetworks);
        Rng rng(22, qHash(place) + (hasNetworks ? 1 : 0));
        for (int i = 0; i < (test::hasFullCounts() ? 40 : 1); ++i) {
            RunSpec spec = this->spec(hasNetworks, rng.below(1000));
            if (place == "observation") spec.job.as<TrainJob>().empo.curiosity_r = Curiosity::Rnd;
            // A step may pass the place several times, so that this is before its end.
            const auto hit = std::to_string(1 + rng.below(kTroubleSteps - 20));
            VictimOrder once = order(spec);
            once.faults = place.toStdString() + ":nan@" + hit;
            const VictimEnd end = m_victims.run(once);
            QVERIFY2(end.state == "finished", end.text.c_str());
            QCOMPARE(countOf(once.workspace, "nan"), 1);
            QVERIFY(test::isNewestFinite(once.workspace));
            QCOMPARE(problemOf(once.workspace), QString());

            VictimOrder straight = order(spec);
            QCOMPARE(m_victims.run(straight).state, std::string("finished"));
            VictimOrder always = order(spec);
            always.faults = place.toStdString() + ":nan@" + hit + "+";
            const VictimEnd diverged = m_victims.run(always);
            QVERIFY2(diverged.state == "diverged" && diverged.status == 4, diverged.text.c_str());
            QCOMPARE(countOf(always.workspace, "nan"), 3);
            QVERIFY(test::newestStep(always.workspace) < kTroubleSteps);
            QVERIFY(test::isNewestFinite(always.workspace));
            QCOMPARE(problemOf(always.workspace), QString());
            // What is kept is from before, and leads where it would have.
            always.faults.clear();
            const VictimEnd resumed = m_victims.run(always);
            QVERIFY2(resumed.state == "finished", resumed.text.c_str());
            if (test::newestStep(always.workspace) == kTroubleSteps)
                QVERIFY(test::isNewestFinite(always.workspace));
            for (const VictimOrder& each : {once, straight, always})
                std::filesystem::remove_all(each.workspace);
        }
    }

    void anActorThatKeepsFailingEndsNoOtherAndHangsNothing_data() {
        QTest::addColumn<int>("failing");
        QTest::newRow("one of four") << 1;
        QTest::newRow("half") << 2;
        QTest::newRow("all") << 4;
    }
    void anActorThatKeepsFailingEndsNoOtherAndHangsNothing() {
        QFETCH(int, failing);
        constexpr int kActors = 4;
        Rng rng(23, failing);
        double longest = 0;
        for (int i = 0; i < counted(200) / 3 + 1; ++i) {
            VictimOrder order = this->order(threads(kActors, rng.below(1000)));
            const bool isForEver = i % 2 == 0;
            for (int actor = 0; actor < failing; ++actor)
                order.faults += (actor > 0 ? "," : "") + std::string("actor.") +
                                std::to_string(actor) + ".step:throw@" +
                                std::to_string(1 + rng.below(300)) + (isForEver ? "+" : "");
            const VictimEnd end = m_victims.run(order);
            QVERIFY2(!end.isHanging && end.signal == 0, order.faults.c_str());
            QCOMPARE(problemOf(order.workspace, end.committed), QString());
            QVERIFY(countOf(order.workspace, "actor") >= (isForEver && failing < kActors ? 4 : 1));
            if (isForEver && failing == kActors) {
                QVERIFY2(end.state == "diverged" && end.status == 4, end.text.c_str());
                QVERIFY2(end.text.find("can be resumed") != std::string::npos, end.text.c_str());
                longest = std::max(longest, end.afterFailure);
                order.faults.clear();
                QCOMPARE(m_victims.run(order).state, std::string("finished"));
            } else {
                QVERIFY2(end.state == "finished", end.text.c_str());
            }
            std::filesystem::remove_all(order.workspace);
        }
        if (longest > 0) qInfo("ended %.2f s after the last failure at most", longest);
        QVERIFY(std::chrono::duration<double>(longest) <
                test::latencyLimit(std::chrono::seconds(2)));
    }

    void memoryThatRunsOutEndsTheTrainingAndKeepsItsCheckpoint_data() {
        QTest::addColumn<bool>("isLimit");
        QTest::newRow("one allocation fails") << false;
        QTest::newRow("a limit of the address space") << true;
    }
    void memoryThatRunsOutEndsTheTrainingAndKeepsItsCheckpoint() {
        QFETCH(bool, isLimit);
        Rng rng(24, isLimit ? 1 : 0);
        int failed = 0, unharmed = 0, died = 0;
        for (int i = 0; i < counted(200); ++i) {
            RunSpec spec = this->spec(i % 3 == 2, 7);
            spec.job.as<TrainJob>().empo.isAsync = i % 3 == 1;
            spec.job.as<TrainJob>().empo.minBufferSize = 50;
            VictimOrder order = this->order(spec);
            if (isLimit)
                order.memory = static_cast<std::int64_t>(rng.uniform() * 96.0 * (1 << 20));
            else  // evenly in the logarithm: reading, solving, training and saving are
                  // all hit
                order.allocation = static_cast<std::int64_t>(1000 * std::pow(60.0, rng.uniform()));
            const VictimEnd end = m_victims.run(order);
            const QString what = QString("memory %1, allocation %2: signal %3, status %4, %5")
                                     .arg(order.memory)
                                     .arg(order.allocation)
                                     .arg(end.signal)
                                     .arg(end.status)
                                     .arg(QString::fromStdString(end.state + ": " + end.text));
            QVERIFY2(!end.isHanging && (end.signal == 0 || end.signal == SIGABRT),
                     qPrintable(what));
            if (end.signal == 0 && end.state != "finished")
                QVERIFY2(end.status == 6, qPrintable(what));
            // Where an actor on a thread had no memory it was begun anew.
            (end.signal != 0 ? died : end.state == "finished" ? unharmed : failed) += 1;
            QCOMPARE(problemOf(order.workspace, end.committed), QString());
            if (!test::isFinished(order.workspace)) {
                order.memory = order.allocation = 0;
                const VictimEnd resumed = m_victims.run(order);
                QVERIFY2(resumed.state == "finished", qPrintable(what));
            }
            std::filesystem::remove_all(order.workspace);
        }
        qInfo("%d failed, %d were not harmed, %d died", failed, unharmed, died);
        QVERIFY(failed > 0);
        // The JSON library needs memory to free memory; where it gets none it ends the process.
        QVERIFY((test::hasFullCounts() ? 20 : 3) * died <= failed + unharmed + died);
    }
};

ORRERY_APPLICATION_TEST(TrainTroubleTest)
#include "train_trouble_test.moc"
