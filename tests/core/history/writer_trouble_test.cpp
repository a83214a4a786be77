#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/atomic_write.h"
#include "core/base/fault.h"
#include "core/history/database.h"
#include "core/history/db_writer.h"
#include "core/history/workspace.h"
#include "tests/core/history/told_writer.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace std::chrono_literals;
using orrery::Database;
using orrery::DbFault;
using orrery::DbWriter;
using orrery::Error;
using orrery::MetricRow;
using orrery::RunState;
using orrery::setFaults;
using orrery::Workspace;
using orrery::WriterTrouble;
using orrery::test::kHang;
using orrery::test::metric;
using orrery::test::Told;
using orrery::test::waitUntil;
using Mode = Workspace::Mode;

namespace {

using Kind = WriterTrouble::Kind;
using Kinds = std::vector<Kind>;

}  // namespace

/// A writer that meets a full disk, broken rules and damage.
class WriterTroubleTest : public QObject, private orrery::test::WriterFolder {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { setFaults(""); }

    void aRowThatBreaksARuleIsLeftOutAlone() {
        Told told;
        const auto workspace = Workspace::open(path(), Mode::Create, told.options());
        DbWriter& writer = workspace->writer();
        const std::string run = writer.createRun({});
        writer.record(run, metric(1, "loss", 1));
        writer.record("r09999", metric(2, "loss", 2));
        writer.addArtefact("r09999", {.kind = "k", .file = "f", .sha256 = "s"});
        writer.record(run, metric(3, "loss", 3));
        QVERIFY(writer.flush());
        QCOMPARE(workspace->reader().metricRowCount(), 2);
        QCOMPARE(told.kinds(), (Kinds{Kind::Rejected, Kind::Rejected}));
    }

    void aFullDiskBlocksAndNothingIsLost() {
        Told told;
        const auto workspace = Workspace::open(path(), Mode::Create, told.options());
        DbWriter& writer = workspace->writer();
        const std::string run = writer.createRun({});
        setFaults("db.commit:enospc@1+");
        for (int i = 0; i < 10; ++i) writer.record(run, metric(i, "loss", i));
        QVERIFY(waitUntil([&] { return writer.isDiskFull(); }));
        QVERIFY(!writer.flush(100ms));
        QVERIFY(QByteArray::fromStdString(writer.troubleText()).contains("Free some space"));
        QCOMPARE(workspace->reader().metricRowCount(), 0);
        setFaults("");
        QVERIFY(writer.flush(kHang));
        QVERIFY(writer.troubleText().empty());
        QCOMPARE(workspace->reader().metricRowCount(), 10);
        QCOMPARE(told.kinds(), (Kinds{Kind::Blocked, Kind::Recovered}));
    }

    // An I/O error at any point of a batch: rows arrive once, not twice, also where the commit had
    // succeeded before the error was seen.
    void anIoErrorNeverDoublesRows_data() {
        QTest::addColumn<QByteArray>("plan");
        for (const char* const plan :
             {"db.begin:eio", "db.row:eio@3", "db.commit:eio", "db.after_commit:eio",
              "db.after_commit:eio,db.open:eio", "db.after_commit:eio,db.checkpoint:enospc",
              "db.after_commit:enospc,db.checkpoint:eio"})
            QTest::newRow(plan) << QByteArray(plan);
    }
    void anIoErrorNeverDoublesRows() {
        QFETCH(QByteArray, plan);
        Told told;
        const auto workspace = Workspace::open(path(), Mode::Create, told.options());
        DbWriter& writer = workspace->writer();
        const std::string run = writer.createRun({});
        setFaults(plan.toStdString());
        for (int i = 0; i < 10; ++i) writer.record(run, metric(i, "loss", i));
        QVERIFY(writer.flush(kHang));
        const std::string second = writer.createRun({});
        QCOMPARE(second, std::string("r00002"));
        setFaults("");
        const std::vector<MetricRow> rows = workspace->reader().metrics(run, "loss");
        QCOMPARE(rows.size(), std::size_t{10});
        for (int i = 0; i < 10; ++i) QCOMPARE(rows[i].step, i);
        QCOMPARE(told.kinds(), (Kinds{Kind::Blocked, Kind::Recovered}));
        const std::lock_guard lock(told.mutex);
        QCOMPARE(told.commits.back().metricRowsTotal, std::uint64_t{10});
    }

    void requestsGiveUpWithTheReasonWhileBlocked() {
        DbWriter::Options options{
            .retryPause = 10ms, .requestPatience = 100ms, .endPatience = 50ms};
        const auto workspace = Workspace::open(path(), Mode::Create, options);
        setFaults("db.commit:enospc@1+");
        QVERIFY(waitUntil(
            [&] { return !workspace->writer().flush(20ms) && workspace->writer().isDiskFull(); }));
        try {
            workspace->writer().createRun({.name = "never"});
            QFAIL("a run was stored on a full disk");
        } catch (const Error& e) {
            QCOMPARE(e.exitStatus(), 6);
            QVERIFY(QByteArray(e.what()).contains("full"));
        }
        setFaults("");
        QVERIFY(workspace->writer().flush(kHang));
        QVERIFY(workspace->reader().listRuns().empty());  // the abandoned request was not done
    }

    void aFileCallWithoutSpaceIsAFullDisk() {
        QCOMPARE(orrery::classify(SQLITE_FULL), DbFault::Full);
        QCOMPARE(orrery::classify(SQLITE_IOERR_SHMSIZE, ENOSPC), DbFault::Full);
        QCOMPARE(orrery::classify(SQLITE_CANTOPEN, EDQUOT), DbFault::Full);
        QCOMPARE(orrery::classify(SQLITE_IOERR_FSYNC, EIO), DbFault::Io);
        QCOMPARE(orrery::classify(SQLITE_CANTOPEN), DbFault::Io);
        QCOMPARE(orrery::classify(SQLITE_CORRUPT, ENOSPC), DbFault::Corrupt);
    }

    void deletingManyRowsMayTakeLongerThanOtherRequests() {
        const DbWriter::Options options{
            .retryPause = 10ms, .requestPatience = 100ms, .endPatience = 50ms};
        const auto workspace = Workspace::open(path(), Mode::Create, options);
        DbWriter& writer = workspace->writer();
        const std::string id = writer.createRun({.name = "large"});
        const RunState queued = RunState::Queued;
        QVERIFY(writer.changeState(id, std::span(&queued, 1), RunState::Stopped));
        const orrery::RunEdit edit{.run = id, .isTrashed = true};
        writer.editRuns(std::span(&edit, 1));
        setFaults("db.commit:delay=1200@1");
        writer.deleteRows(std::span(&id, 1));
        setFaults("");
        QVERIFY(workspace->reader().listRuns({.withTrash = true}).empty());
    }

    void aRequestWaitsForAFullDiskAsLongAsItsCallerWants() {
        // Time enough for a busy machine to meet the fault and to recover from it; the disk is full
        // for longer than that.
        constexpr auto kPatience = 1000ms;
        DbWriter::Options options{
            .retryPause = 10ms, .requestPatience = kPatience, .endPatience = 50ms};
        const auto workspace = Workspace::open(path(), Mode::Create, options);
        DbWriter& writer = workspace->writer();
        setFaults("db.commit:enospc@1+");
        std::stop_source stop;
        const auto begin = std::chrono::steady_clock::now();
        const orrery::DiskWait wait{
            .patience = kHang,
            .stop = stop.get_token(),
            .whileFull = [&](const std::string& trouble) {
                QVERIFY(QByteArray::fromStdString(trouble).contains("Free some space"));
                if (std::chrono::steady_clock::now() - begin > 1.2 * kPatience) setFaults("");
            }};
        QCOMPARE(writer.createRun({.name = "late"}, wait), std::string("r00001"));
        QVERIFY(std::chrono::steady_clock::now() - begin > 1.2 * kPatience && !writer.isDiskFull());
        setFaults("db.commit:enospc@1+");
        const auto again = std::chrono::steady_clock::now();
        const RunState queued = RunState::Queued;
        const orrery::DiskWait stopped{
            .patience = 1000s, .stop = stop.get_token(), .whileFull = [&](const std::string&) {
                if (std::chrono::steady_clock::now() - again > 1.2 * kPatience) stop.request_stop();
            }};
        QVERIFY_THROWS_EXCEPTION(
            orrery::DiskFullError,
            writer.changeState("r00001", std::span(&queued, 1), RunState::Running, stopped));
        // The stop ends the wait, and long before its time.
        const auto waited = std::chrono::steady_clock::now() - again;
        QVERIFY(waited > 1.2 * kPatience && waited < kHang);
        QVERIFY(writer.isDiskFull());
        setFaults("");
        QVERIFY(writer.flush(kHang));
        QCOMPARE(workspace->reader().run("r00001")->state, std::optional(RunState::Queued));
    }

    void theEndTellsWhatCouldNotBeSaved() {
        Told told;
        {
            const auto workspace = Workspace::open(path(), Mode::Create, told.options());
            const std::string run = workspace->writer().createRun({});
            setFaults("db.commit:enospc@1+");
            for (int i = 0; i < 7; ++i) workspace->writer().record(run, metric(i, "loss", i));
        }
        QCOMPARE(told.kinds(), (Kinds{Kind::Blocked, Kind::Lost}));
        QVERIFY(QByteArray::fromStdString(told.troubles.back().text).startsWith("7 rows"));
    }

    void corruptionStopsTheWriterWithADamagedError() {
        std::filesystem::path file;
        std::string run;
        {
            const auto workspace = Workspace::open(path(), Mode::Create);
            run = workspace->writer().createRun({});
            file = workspace->databaseFile();
        }
        const auto page = Database(file, Database::Access::Read)
                              .integer("SELECT rootpage FROM sqlite_schema WHERE name='point'");
        std::FILE* const raw = std::fopen(file.c_str(), "r+");
        std::fseek(raw, (page.value() - 1) * 4096, SEEK_SET);
        QCOMPARE(std::fwrite(std::string(4096, 'z').data(), 1, 4096, raw), std::size_t{4096});
        std::fclose(raw);
        Told told;
        {
            DbWriter writer(file, told.options());
            writer.record(run, metric(0, "loss", 0));
            QVERIFY_THROWS_EXCEPTION(Error, writer.flush());
            QVERIFY_THROWS_EXCEPTION(Error, writer.record(run, metric(1, "loss", 1)));
            try {
                writer.createRun({});
                QFAIL("a damaged database was written");
            } catch (const Error& e) {
                QCOMPARE(e.exitStatus(), 5);
                QVERIFY(QByteArray(e.what()).contains("orrery verify"));
            }
        }
        QCOMPARE(told.kinds(), (Kinds{Kind::Damaged}));
        QVERIFY(QByteArray::fromStdString(told.troubles[0].text).startsWith("1 rows"));
    }
};

ORRERY_TEST(WriterTroubleTest)
#include "writer_trouble_test.moc"
