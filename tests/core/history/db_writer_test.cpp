#include "core/history/db_writer.h"

#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <limits>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/base/atomic_write.h"
#include "core/base/fault.h"
#include "core/history/database.h"
#include "core/history/workspace.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace std::chrono_literals;
namespace event = orrery::event;
using orrery::ArtefactRow;
using orrery::Commit;
using orrery::Database;
using orrery::DbFault;
using orrery::DbWriter;
using orrery::Error;
using orrery::EventRow;
using orrery::HistoryReader;
using orrery::MessageLevel;
using orrery::MetricRow;
using orrery::RunEvent;
using orrery::RunRecord;
using orrery::RunState;
using orrery::setFaults;
using orrery::Workspace;
using orrery::WriterTrouble;
using orrery::test::kHang;
using orrery::test::waitUntil;
using Mode = Workspace::Mode;

namespace {

RunEvent metric(std::int64_t step, const std::string& key, double value) {
    return {.body = event::Metric{step, key, value}};
}

/// What the writer told, from its own thread.
struct Told {
    std::mutex mutex;
    std::vector<Commit> commits;
    std::vector<WriterTrouble> troubles;

    DbWriter::Options options() {
        DbWriter::Options options{
            .retryPause = 10ms, .requestPatience = kHang, .endPatience = 200ms};
        options.onCommit = [this](const Commit& commit) {
            const std::lock_guard lock(mutex);
            commits.push_back(commit);
        };
        options.onTrouble = [this](const WriterTrouble& trouble) {
            const std::lock_guard lock(mutex);
            troubles.push_back(trouble);
        };
        return options;
    }
    std::vector<WriterTrouble::Kind> kinds() {
        const std::lock_guard lock(mutex);
        std::vector<WriterTrouble::Kind> all;
        for (const WriterTrouble& trouble : troubles) all.push_back(trouble.kind);
        return all;
    }
};

using Kind = WriterTrouble::Kind;
using Kinds = std::vector<Kind>;

}  // namespace

class DbWriterTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path path() const { return m_folder->filePath("w.orrery").toStdString(); }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { setFaults(""); }

    void aRunIsStoredWithEveryField() {
        const auto workspace = Workspace::open(path(), Mode::Create);
        const std::string first = workspace->writer().createRun({.name = "one"});
        const std::string id = workspace->writer().createRun({.name = "zwei\n\"ü\"",
                                                              .parent = first,
                                                              .kind = "solve",
                                                              .configJson = R"({"a":1})",
                                                              .worldHash = "abc",
                                                              .codeVersion = "0.1.0",
                                                              .seed = UINT64_MAX,
                                                              .note = "why"});
        QCOMPARE(id, std::string("r00002"));
        const RunRecord run = workspace->reader().run(id).value();
        QCOMPARE(run.ordinal, 2);
        QCOMPARE(run.name, std::string("zwei\n\"ü\""));
        QCOMPARE(run.parent, first);
        QCOMPARE(run.state, std::optional(RunState::Queued));
        QCOMPARE(run.kind, std::string("solve"));
        QCOMPARE(run.configJson, std::string(R"({"a":1})"));
        QCOMPARE(run.worldHash, std::string("abc"));
        QCOMPARE(run.codeVersion, std::string("0.1.0"));
        QCOMPARE(run.seed, UINT64_MAX);
        QCOMPARE(run.note, std::string("why"));
        QCOMPARE(run.createdUtc.size(), std::size_t{24});
        QVERIFY(run.endedUtc.empty());
        QVERIFY(!workspace->reader().run("r00003"));
        QVERIFY_THROWS_EXCEPTION(Error, workspace->writer().createRun({.parent = "r09999"}));
        QCOMPARE(workspace->writer().createRun({}), std::string("r00003"));
    }

    void metricsKeepOrderStepAndEveryKindOfNumber() {
        const double infinity = std::numeric_limits<double>::infinity();
        const std::vector<double> values{0.1,       -0.0,   std::nan(""), infinity,
                                         -infinity, 5e-324, 1e308};
        const auto workspace = Workspace::open(path(), Mode::Create);
        DbWriter& writer = workspace->writer();
        const std::string run = writer.createRun({});
        for (std::size_t i = 0; i < values.size(); ++i) {
            QVERIFY(writer.record(run, metric(std::int64_t(100 - i), "loss", values[i])));
            QVERIFY(writer.record(run, metric(std::int64_t(i), "alpha", double(i))));
        }
        QVERIFY(writer.flush());
        const HistoryReader reader = workspace->reader();
        const std::vector<MetricRow> rows = reader.metrics(run, "loss");
        QCOMPARE(rows.size(), values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            QCOMPARE(rows[i].seq, std::int64_t(2 * i + 1));
            QCOMPARE(rows[i].step, std::int64_t(100 - i));
            QVERIFY(std::isnan(values[i]) ? std::isnan(rows[i].value) : rows[i].value == values[i]);
        }
        QCOMPARE(reader.metricKeys(run), (std::vector<std::string>{"alpha", "loss"}));
        QCOMPARE(reader.metrics(run, "alpha", 12).size(), std::size_t{1});
        QCOMPARE(reader.metrics(run, "alpha", 12).at(0).value, 6.0);
        QCOMPARE(reader.metricRowCount(), 14);
        QVERIFY(reader.metricKeys("r00009").empty());
    }

    void eventsBecomeRowsAndStates() {
        const auto workspace = Workspace::open(path(), Mode::Create);
        DbWriter& writer = workspace->writer();
        const std::string run = writer.createRun({});
        const std::string text("half\0line\n", 10);
        writer.record(run, {.body = event::State{RunState::Running}});
        writer.record(run, {.body = event::Message{MessageLevel::Warning, "graph.big", text}});
        writer.record(
            run, {.body = event::Message{
                      .code = "nan", .text = "skipped", .step = 41, .data = R"({"what":"loss"})"}});
        writer.record(run, {.body = event::Progress{"solve", 1, 2, "levels", 1.0, 1.0}});
        writer.record(run, {.body = event::Artefact{"plot", "runs/x/a.png", "00ff", 7}});
        QVERIFY(writer.flush());
        const HistoryReader reader = workspace->reader();
        QCOMPARE(reader.run(run)->state, std::optional(RunState::Running));
        QVERIFY(reader.run(run)->endedUtc.empty());
        writer.record(run, {.body = event::Failed{"It broke. Mend it.", 4}});
        writer.record(run, {.body = event::Finished{RunState::Finished, "too late"}});
        QVERIFY(writer.flush());
        QCOMPARE(reader.run(run)->state, std::optional(RunState::Failed));
        QCOMPARE(reader.run(run)->endedUtc.size(), std::size_t{24});
        QVERIFY(reader.run(run)->heartbeatSeq >= 2);
        const std::vector<EventRow> events = reader.events(run);
        QCOMPARE(events.size(), std::size_t{5});
        QCOMPARE(events[0].text, std::string("running"));
        QVERIFY(!events[1].step && events[1].data.empty());
        QCOMPARE(events[2].step, std::optional<std::int64_t>(41));
        QCOMPARE(events[2].data, std::string(R"({"what":"loss"})"));
        QCOMPARE(events[1].level, MessageLevel::Warning);
        QCOMPARE(events[1].code, std::string("graph.big"));
        QCOMPARE(events[1].text, text);
        QCOMPARE(events[3].level, MessageLevel::Error);
        QCOMPARE(events[3].text, std::string("It broke. Mend it."));
        QCOMPARE(reader.events(run, events[3].seq).size(), std::size_t{1});
        const std::vector<ArtefactRow> artefacts = reader.artefacts(run);
        QCOMPARE(artefacts.size(), std::size_t{1});
        QCOMPARE(artefacts[0].file, std::string("runs/x/a.png"));
        QCOMPARE(artefacts[0].bytes, std::uint64_t{7});
    }

    void checkpointsAreListedNewestFirst() {
        const auto workspace = Workspace::open(path(), Mode::Create);
        DbWriter& writer = workspace->writer();
        const std::string run = writer.createRun({});
        for (const std::int64_t generation : {1, 2, 2})
            writer.addCheckpoint(run, {.generation = generation,
                                       .step = generation * 10,
                                       .file = "m" + std::to_string(generation),
                                       .sha256 = "aa",
                                       .bytes = 5});
        QVERIFY(writer.flush());
        const auto checkpoints = workspace->reader().checkpoints(run);
        QCOMPARE(checkpoints.size(), std::size_t{2});
        QCOMPARE(checkpoints[0].step, 20);
        QCOMPARE(checkpoints[0].state, std::string("ready"));
    }

    void stateChangesOnlyFromWhatWasExpected() {
        const auto workspace = Workspace::open(path(), Mode::Create);
        DbWriter& writer = workspace->writer();
        const std::string run = writer.createRun({});
        const std::array queued{RunState::Queued};
        const std::array live{RunState::Running, RunState::Paused};
        QVERIFY(writer.changeState(run, queued, RunState::Running));
        QVERIFY(!writer.changeState(run, queued, RunState::Running));
        QVERIFY(writer.changeState(run, live, RunState::Stopped));
        QVERIFY(!workspace->reader().run(run)->endedUtc.empty());
        const std::array stopped{RunState::Stopped};
        QVERIFY(writer.changeState(run, stopped, RunState::Running));
        QVERIFY(workspace->reader().run(run)->endedUtc.empty());
        QVERIFY(!writer.changeState("r00099", live, RunState::Stopped));
    }

    void seqGoesOnAfterARestart() {
        std::string run;
        {
            const auto workspace = Workspace::open(path(), Mode::Create);
            run = workspace->writer().createRun({});
            for (int i = 0; i < 3; ++i) workspace->writer().record(run, metric(i, "loss", i));
        }  // the destructor writes what is left
        const auto workspace = Workspace::open(path(), Mode::ReadWrite);
        workspace->writer().record(run, metric(3, "loss", 3));
        QVERIFY(workspace->writer().flush());
        const std::vector<MetricRow> rows = workspace->reader().metrics(run, "loss");
        QCOMPARE(rows.size(), std::size_t{4});
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(rows[i].seq, i + 1);
            QCOMPARE(rows[i].step, i);
        }
    }

    void batchesAreCommittedByCountAndByTime() {
        Told told;
        DbWriter::Options options = told.options();
        options.batchRows = 100;
        options.batchTime = 50ms;
        const auto workspace = Workspace::open(path(), Mode::Create, options);
        const std::string run = workspace->writer().createRun({});
        for (int i = 0; i < 250; ++i) workspace->writer().record(run, metric(i, "loss", i));
        // No flush, which would hurry the writer.
        QVERIFY(waitUntil([&] {
            const std::lock_guard lock(told.mutex);
            return !told.commits.empty() && told.commits.back().metricRowsTotal == 250;
        }));
        const std::lock_guard lock(told.mutex);
        QVERIFY(!told.commits.empty());
        QCOMPARE(told.commits.back().metricRowsTotal, std::uint64_t{250});
        for (const Commit& commit : told.commits) QVERIFY(commit.metricRows <= 100);
        QVERIFY(told.commits.size() >= 4);  // the run, and three for the rows
    }

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

    void theLogIsEmptiedWhenIdleAndBoundedWhenBusy() {
        DbWriter::Options options{.batchRows = 1000, .batchTime = 20ms};
        const auto workspace = Workspace::open(path(), Mode::Create, options);
        DbWriter& writer = workspace->writer();
        const std::string run = writer.createRun({});
        std::uintmax_t largest = 0;
        const std::filesystem::path log = workspace->databaseFile().native() + "-wal";
        for (int i = 0; i < 120'000; ++i) {
            writer.record(run, metric(i, "loss", i));
            if (i % 5000 == 0) largest = std::max(largest, std::filesystem::file_size(log));
        }
        QVERIFY(writer.flush());
        QVERIFY(largest < 16'000'000);
        QTRY_COMPARE_WITH_TIMEOUT(int(std::filesystem::file_size(log)), 0, 60'000);
        QCOMPARE(workspace->reader().metricRowCount(), 120'000);
    }

    void manyThreadsWriteAndReadersSeeWholeBatches() {
        constexpr int kRows = 4000;
        DbWriter::Options options{.queueRows = 64, .batchRows = 50, .batchTime = 5ms};
        const auto workspace = Workspace::open(path(), Mode::Create, options);
        DbWriter& writer = workspace->writer();
        std::vector<std::string> runs(3);
        for (std::string& run : runs) run = writer.createRun({});
        std::atomic<bool> done{false};
        std::int64_t seen = 0;
        bool shrank = false;
        {
            std::jthread readerThread([&] {
                const HistoryReader reader = workspace->reader();
                while (!done) {
                    const std::int64_t now = reader.metricRowCount();
                    shrank = shrank || now < seen;
                    seen = now;
                }
            });
            {
                std::vector<std::jthread> producers;
                producers.reserve(runs.size());
                for (const std::string& run : runs)
                    producers.emplace_back([&writer, run] {
                        for (int i = 0; i < kRows; ++i) writer.record(run, metric(i, "loss", i));
                    });
            }
            QVERIFY(writer.flush());
            done = true;
        }
        QVERIFY(!shrank);
        for (const std::string& run : runs) {
            const std::vector<MetricRow> rows = workspace->reader().metrics(run, "loss");
            QCOMPARE(rows.size(), std::size_t{kRows});
            for (int i = 0; i < kRows; ++i) {
                QCOMPARE(rows[i].step, i);
                QCOMPARE(rows[i].seq, i + 1);
            }
        }
    }
};

ORRERY_TEST(DbWriterTest)
#include "db_writer_test.moc"
