#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <thread>

#include "child.h"
#include "core/base/rng.h"
#include "core/history/database.h"
#include "core/history/schema.h"
#include "core/history/verify.h"
#include "core/history/workspace.h"
#include "tests/support/fast_folder.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using orrery::Finding;
using orrery::Rng;
using orrery::RunRecord;
using orrery::RunState;
using orrery::VerifyReport;
using orrery::verifyWorkspace;
using orrery::Workspace;
namespace fs = std::filesystem;

/// Kills a writing process at random instants; what it had acknowledged must be there.
class HistoryCrashTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void acknowledgedRowsSurviveAKillAtAnyInstant() {
        const QTemporaryDir folder;
        const fs::path path = folder.filePath("w.orrery").toStdString();
        Rng rng(2026);
        // More than the least number of kills only as long as that takes no more than 10 s.
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        int kills = 0;
        int interrupted = 0;
        while (kills < 10 || (kills < 40 && std::chrono::steady_clock::now() < end)) {
            Child writer({"write", path, "0"}, folder.filePath("out").toStdString());
            // Steady work is hit however slowly the program starts; the others hit the start, too.
            if (kills % 2 == 1) QVERIFY(writer.waitFor("COMMIT", 1));
            // Must wait for time: the kill comes at any instant, log-uniform from 1 to 400 ms.
            const double milliseconds = std::exp(rng.uniform() * std::log(400.0));
            std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
            writer.kill(SIGKILL);
            QVERIFY2(writer.exitStatus() == -1, writer.output().c_str());
            ++kills;
            const long long acknowledged = std::max(0LL, lastNumber(writer.output(), "COMMIT"));
            if (!fs::exists(path)) continue;
            const VerifyReport report = verifyWorkspace(path);
            for (const Finding& finding : report.findings)
                QFAIL((finding.where + ": " + finding.text).c_str());
            QVERIFY2(report.metricRows >= acknowledged, writer.output().c_str());
            interrupted += acknowledged > 0 ? 1 : 0;
        }
        QVERIFY(kills >= 10);
        QVERIFY(interrupted >= 3);  // or nothing was tested
        const auto workspace = Workspace::open(path, Workspace::Mode::ReadWrite);
        for (const RunRecord& run : workspace->reader().listRuns())
            QVERIFY(run.state == RunState::Interrupted || run.state == RunState::Queued);
    }

    // The compiled-in points hit the instants that chance does not.
    void aKillAtEveryFaultPointLeavesASoundWorkspace_data() {
        QTest::addColumn<QByteArray>("points");
        for (const char* const points : {"db.*", "file.*", "migrate.*", "workspace.*"})
            QTest::newRow(points) << QByteArray(points);
    }
    void aKillAtEveryFaultPointLeavesASoundWorkspace() {
        QFETCH(QByteArray, points);
        int killed = 0;
        // Steps grow: the first points are in the start and close together.
        for (int n = 1; n < 400; n += 1 + n / 8) {
            const QTemporaryDir folder(fastFolder());
            const fs::path path = folder.filePath("w.orrery").toStdString();
            qputenv("ORRERY_FAULT", points + ":kill@" + QByteArray::number(n));
            Child writer({"write", path, "60"}, folder.filePath("out").toStdString());
            const int status = writer.exitStatus();
            qunsetenv("ORRERY_FAULT");
            if (fs::exists(path)) {
                const VerifyReport report = verifyWorkspace(path);
                for (const Finding& finding : report.findings)
                    QFAIL((finding.where + ": " + finding.text).c_str());
                QVERIFY(report.metricRows >= lastNumber(writer.output(), "COMMIT"));
            }
            Child again({"write", path, "30"}, folder.filePath("again").toStdString());
            QCOMPARE(again.exitStatus(), 0);
            if (status == 0) break;
            QCOMPARE(status, -1);
            ++killed;
        }
        QVERIFY(killed >= 1);
    }

    void aKillWhileAFormerVersionIsMigratedLosesNothing() {
        const QTemporaryDir folder(fastFolder());
        const fs::path path = folder.filePath("w.orrery").toStdString();
        const fs::path file = folder.filePath("former.db").toStdString();
        fs::copy_file(orrery::sourcePath("tests/data/history/version_1.db"), file);
        {
            orrery::Database database(file, orrery::Database::Access::Write);
            database.execute(
                "INSERT INTO metric(run, key, seq, step, value) WITH RECURSIVE n(i) AS (SELECT 1 "
                "UNION ALL SELECT i + 1 FROM n WHERE i < 40000) SELECT 'r00001', 'long', 1000 + "
                "i, i, i / 8.0 FROM n");
        }
        const auto countPoints = [&] {
            const auto reader = Workspace::open(path, Workspace::Mode::ReadOnly)->reader();
            return std::pair(reader.metricRowCount(), reader.metrics("r00001", "long").size());
        };
        const auto copyFormer = [&] {
            fs::remove_all(path);
            fs::create_directories(path);
            fs::copy_file(file, path / "workspace.db");
        };
        copyFormer();
        const auto before = countPoints();
        QCOMPARE(before.second, std::size_t{40'000});
        Rng rng(7);
        int killed = 0;
        for (int n = 1; killed < 20; ++n) {
            copyFormer();
            // The compiled-in points first, then any instant.
            const bool isPoint = n <= 6;
            if (isPoint) qputenv("ORRERY_FAULT", "migrate.*:kill@" + QByteArray::number(n));
            Child opening({"compact", path}, folder.filePath("out").toStdString());
            if (!isPoint) {
                // Must wait for time: the kill comes at any instant, log-uniform from 5 to 150 ms.
                const double milliseconds = 5 * std::exp(rng.uniform() * std::log(30.0));
                std::this_thread::sleep_for(
                    std::chrono::duration<double, std::milli>(milliseconds));
                opening.kill(SIGKILL);
            }
            killed += opening.exitStatus() == -1 ? 1 : 0;
            qunsetenv("ORRERY_FAULT");
            QCOMPARE(countPoints(), before);
            QVERIFY(n < 100);
        }
        const auto workspace = Workspace::open(path, Workspace::Mode::ReadWrite);
        QVERIFY(workspace->writable());
        QCOMPARE(workspace->reader().schemaVersion(), orrery::kSchemaVersion);
        QCOMPARE(countPoints(), before);
        for (const Finding& finding :
             verifyWorkspace(path).findings)  // the runs' files are not here
            QVERIFY2(finding.where != "workspace.db", finding.text.c_str());
    }

    void aKillWhileCurvesAreMovedLosesNoPoint() {
        const QTemporaryDir folder(fastFolder());
        const fs::path path = folder.filePath("w.orrery").toStdString();
        constexpr int kPoints = 20'000;
        std::string run;
        {
            const auto workspace = Workspace::open(path, Workspace::Mode::Create);
            run = workspace->writer().createRun({.configJson = "{}"});
            for (int i = 0; i < kPoints; ++i)
                workspace->writer().record(run,
                                           {.body = orrery::event::Metric{i, "loss", 0.1 * i}});
            QVERIFY(workspace->writer().flush());
        }
        {  // A writer that wrote the points itself would move them as it closes.
            const auto workspace = Workspace::open(path, Workspace::Mode::ReadWrite);
            workspace->writer().record(
                run, {.body = orrery::event::Finished{RunState::Finished, "done"}});
            QVERIFY(workspace->writer().flush());
        }
        const auto checkPoints = [&] {
            const auto reader = Workspace::open(path, Workspace::Mode::ReadOnly)->reader();
            const auto points = reader.metrics(run, "loss");
            QCOMPARE(points.size(), std::size_t{kPoints});
            for (int i = 0; i < kPoints; ++i)
                QVERIFY(points[std::size_t(i)].step == i &&
                        points[std::size_t(i)].value == 0.1 * i);
        };
        int killed = 0;
        for (int n = 1; n < 60; ++n) {
            qputenv("ORRERY_FAULT", "db.compact*:kill@" + QByteArray::number(n));
            Child moving({"compact", path}, folder.filePath("out").toStdString());
            const int status = moving.exitStatus();
            qunsetenv("ORRERY_FAULT");
            checkPoints();
            if (QTest::currentTestFailed()) return;
            if (status == 0) break;
            QCOMPARE(status, -1);
            ++killed;
        }
        QVERIFY(killed >= 3);
        QVERIFY(verifyWorkspace(path).findings.empty());
    }
};

ORRERY_TEST(HistoryCrashTest)
#include "history_crash_test.moc"
