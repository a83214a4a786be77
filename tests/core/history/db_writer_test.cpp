#include "core/history/db_writer.h"

#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/base/fault.h"
#include "core/history/workspace.h"
#include "tests/core/history/told_writer.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace std::chrono_literals;
namespace event = orrery::event;
using orrery::ArtefactRow;
using orrery::Commit;
using orrery::DbWriter;
using orrery::Error;
using orrery::EventRow;
using orrery::HistoryReader;
using orrery::MessageLevel;
using orrery::MetricRow;
using orrery::RunRecord;
using orrery::RunState;
using orrery::setFaults;
using orrery::Workspace;
using orrery::test::metric;
using orrery::test::Told;
using orrery::test::waitUntil;
using Mode = Workspace::Mode;

/// Rows, runs, events and checkpoints that the writer stores, in order.
class DbWriterTest : public QObject, private orrery::test::WriterFolder {
    Q_OBJECT

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
