#include "core/history/curve_chunk.h"

#include <QTemporaryDir>
#include <QTest>
#include <bit>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <random>
#include <thread>

#include "core/base/fault.h"
#include "core/history/database.h"
#include "core/history/workspace.h"
#include "tests/support/test_program.h"

using namespace orrery;
namespace fs = std::filesystem;

namespace {

constexpr auto kEnded = RunState::Finished;

bool isSame(const MetricRow& a, const MetricRow& b) {
    const bool isSameValue = std::isnan(a.value) ? std::isnan(b.value)
                                                 : std::bit_cast<std::uint64_t>(a.value) ==
                                                       std::bit_cast<std::uint64_t>(b.value);
    return a.seq == b.seq && a.step == b.step && isSameValue;
}

bool areSame(const std::vector<MetricRow>& a, const std::vector<MetricRow>& b) {
    return std::ranges::equal(a, b, isSame);
}

/// Chunk after chunk, and back.
std::vector<MetricRow> thereAndBack(std::span<const MetricRow> points, int& chunks) {
    std::vector<MetricRow> back;
    chunks = 0;
    while (!points.empty()) {
        const CurveChunk chunk = packed(points);
        unpack(chunk, -1, back);
        points = points.subspan(static_cast<std::size_t>(chunk.count));
        ++chunks;
    }
    return back;
}

/// A curve as a training writes one: every 500 steps, some forty other points between two.
std::vector<MetricRow> curve(std::size_t count) {
    std::mt19937_64 random(7);
    std::vector<MetricRow> points;
    std::int64_t seq = 0;
    for (std::size_t i = 0; i < count; ++i) {
        seq += 38 + static_cast<std::int64_t>(random() % 5);
        points.push_back({.seq = seq,
                          .step = 500 * static_cast<std::int64_t>(i + 1),
                          .value = std::exp(-1e-3 * static_cast<double>(i)) +
                                   1e-3 * static_cast<double>(random() % 1000)});
    }
    return points;
}

}  // namespace

/// Points of ended runs in chunks: bit for bit, in little room, for our readers and for others.
class CurveChunkTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path path() const { return m_folder->filePath("w.orrery").toStdString(); }

    /// Writes points of one curve, ends the run.
    static std::string store(Workspace& workspace, const std::vector<MetricRow>& points) {
        DbWriter& writer = workspace.writer();
        std::string run = writer.createRun({.kind = "train", .configJson = "{}"});
        writer.record(run, {.body = event::State{RunState::Running}});
        for (const MetricRow& point : points)
            writer.record(run, {.body = event::Metric{point.step, "loss", point.value}});
        writer.record(run, {.body = event::Finished{kEnded, "done"}});
        writer.flush();
        return run;
    }
    std::int64_t count(const char* table) const {
        Database database(path() / "workspace.db", Database::Access::Read);
        return database.integer(std::string("SELECT count(*) FROM ") + table).value_or(-1);
    }
    bool becomesCompact() const {
        return QTest::qWaitFor([&] { return count("point") == 0; }, 20'000);
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { setFaults(""); }

    void numbersOfEveryKindComeBack() {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        std::vector<MetricRow> points;
        std::int64_t seq = 0;
        for (const double value : {0.1, -0.0, std::nan(""), kInfinity, -kInfinity, 5e-324, 1e308})
            points.push_back({.seq = ++seq, .step = 100 - 7 * seq, .value = value});
        int chunks = 0;
        QVERIFY(areSame(thereAndBack(points, chunks), points));
        QCOMPARE(chunks, 1);
        // On a line nothing but the values takes room.
        QCOMPARE(packed(points).seq.width, 0);
        QCOMPARE(packed(points).step.width, 0);
        std::vector<MetricRow> late;
        unpack(packed(points), 5, late);
        QCOMPARE(late.size(), std::size_t{2});
        QCOMPARE(late.front().seq, std::int64_t{6});
    }

    void stepsMayBeAnything() {
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        std::vector<MetricRow> points;
        std::int64_t seq = 0;
        for (const std::int64_t step : {std::int64_t{0}, kMost, -kMost - 1, std::int64_t{-1},
                                        std::int64_t{1} << 40, std::int64_t{3}, kMost - 1})
            points.push_back({.seq = seq += 1'000'000'007, .step = step, .value = 1});
        int chunks = 0;
        QVERIFY(areSame(thereAndBack(points, chunks), points));
        QVERIFY(chunks > 1);
    }

    void aLongCurveTakesLessThanFourteenBytesAPoint() {
        const std::vector<MetricRow> points = curve(20'000);
        int chunks = 0;
        QVERIFY(areSame(thereAndBack(points, chunks), points));
        QCOMPARE(chunks, 5);
        const CurveChunk chunk = packed(points);
        QCOMPARE(chunk.step.width, 0);
        QVERIFY2(chunk.seq.width <= 2, qPrintable(QString::number(chunk.seq.width)));
    }

    void aDamagedChunkGivesNoPoints() {
        CurveChunk chunk = packed(curve(100));
        chunk.values.pop_back();
        std::vector<MetricRow> points;
        unpack(chunk, -1, points);
        QVERIFY(points.empty());
    }

    void whatHasEndedIsMovedAndReadsAsBefore() {
        const std::vector<MetricRow> points = curve(10'000);
        const auto workspace = Workspace::open(path(), Workspace::Mode::Create);
        const std::string run = store(*workspace, points);
        const auto before = workspace->reader().metrics(run, "loss");
        QCOMPARE(before.size(), points.size());
        QVERIFY(becomesCompact());
        QCOMPARE(count("chunk"), 3);
        const HistoryReader reader = workspace->reader();
        QVERIFY(areSame(reader.metrics(run, "loss"), before));
        QCOMPARE(reader.metrics(run, "loss", before[9'998].seq).size(), std::size_t{1});
        QCOMPARE(reader.metricKeys(run), std::vector<std::string>{"loss"});
        QCOMPARE(reader.metricRowCount(), 10'000);
        // What other programs see.
        Database database(path() / "workspace.db", Database::Access::Read);
        QCOMPARE(database.integer("SELECT metric_rows FROM v_runs"),
                 std::optional<std::int64_t>(10'000));
        QCOMPARE(database.integer("SELECT step FROM v_latest"),
                 std::optional<std::int64_t>(5'000'000));
        Statement view = database.prepare(
            "SELECT seq, step, value, flag FROM metric WHERE run = ? AND key = 'loss' ORDER BY "
            "seq");
        view.bind(1, run);
        std::size_t i = 0;
        while (view.step()) {
            QCOMPARE(view.integer(0), before[i].seq);
            QCOMPARE(view.integer(1), before[i].step);
            QCOMPARE(view.real(2), before[i].value);
            ++i;
        }
        QCOMPARE(i, before.size());
    }

    void theEndOfALongRunDoesNotLeaveItInRows() {
        for (const std::size_t points : {std::size_t{9'000}, std::size_t{40}}) {
            m_folder = std::make_unique<QTemporaryDir>();
            {
                const auto workspace = Workspace::open(path(), Workspace::Mode::Create);
                store(*workspace, curve(points));
            }  // closed at once, as a command line does
            QCOMPARE(count("point"), points > 4096 ? std::int64_t{0} : std::int64_t{40});
        }
    }

    void theViewReadsEveryKindOfNumber() {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        std::vector<double> values{
            0.0,        -0.0,   1.0,     -1.5,  std::nan(""),           kInfinity,
            -kInfinity, 5e-324, -5e-324, 1e308, 2.2250738585072014e-308};
        std::mt19937_64 random(3);
        while (values.size() < 500) values.push_back(std::bit_cast<double>(random()));
        std::vector<MetricRow> points;
        points.reserve(values.size());
        for (const double value : values)
            points.push_back({.step = static_cast<std::int64_t>(random() % 1000), .value = value});
        const auto workspace = Workspace::open(path(), Workspace::Mode::Create);
        const std::string run = store(*workspace, points);
        QVERIFY(becomesCompact());
        Database database(path() / "workspace.db", Database::Access::Read);
        Statement view = database.prepare("SELECT seq, step, value, flag FROM metric ORDER BY seq");
        for (std::size_t i = 0; i < values.size(); ++i) {
            QVERIFY(view.step());
            QCOMPARE(view.integer(1), points[i].step);
            const double value = values[i];
            QCOMPARE(view.integer(3), std::int64_t{std::isnan(value)     ? 1
                                                   : value == kInfinity  ? 2
                                                   : value == -kInfinity ? 3
                                                                         : 0});
            if (std::isfinite(value))
                QVERIFY2(view.real(2) == value, qPrintable(QString::number(value)));
        }
        QVERIFY(!view.step());
    }

    void aLiveRunStaysInRows() {
        const auto workspace = Workspace::open(path(), Workspace::Mode::Create);
        const std::string ended = store(*workspace, curve(100));
        const std::string live =
            workspace->writer().createRun({.kind = "train", .configJson = "{}"});
        workspace->writer().record(live, {.body = event::Metric{1, "loss", 0.5}});
        QVERIFY(workspace->writer().flush());
        QVERIFY(QTest::qWaitFor([&] { return count("point") == 1; }, 20'000));
        QCOMPARE(workspace->reader().metrics(live, "loss").size(), std::size_t{1});
        QCOMPARE(workspace->reader().metrics(ended, "loss").size(), std::size_t{100});
    }

    void whatLiesBehindAStepIsSetAsideOutOfChunks() {
        const std::vector<MetricRow> points = curve(9'000);
        const auto workspace = Workspace::open(path(), Workspace::Mode::Create);
        const std::string run = store(*workspace, points);
        QVERIFY(becomesCompact());
        DbWriter& writer = workspace->writer();
        QVERIFY(writer.changeState(run, std::array{kEnded}, RunState::Running));
        writer.supersedeMetrics(run, std::int64_t{500} * 8'500);
        writer.record(run, {.body = event::Metric{std::int64_t{500} * 8'501, "loss", 42}});
        QVERIFY(writer.flush());
        const auto check = [&] {
            const HistoryReader reader = workspace->reader();
            QCOMPARE(reader.metricKeys(run),
                     (std::vector<std::string>{"loss", "superseded.1/loss"}));
            const auto rows = reader.metrics(run, "loss");
            QCOMPARE(rows.size(), std::size_t{8'501});
            QVERIFY(std::ranges::is_sorted(rows, {}, &MetricRow::seq));
            QCOMPARE(rows.back().value, 42.0);
            QCOMPARE(rows[8'499].step, std::int64_t{500} * 8'500);
            QCOMPARE(reader.metrics(run, "superseded.1/loss").size(), std::size_t{500});
        };
        check();
        writer.record(run, {.body = event::Finished{kEnded, "done"}});
        QVERIFY(writer.flush());
        QVERIFY(becomesCompact());
        check();
    }

    void aFaultWhileMovingLosesNothing() {
        const std::vector<MetricRow> points = curve(9'000);
        std::string run;
        {
            const auto workspace = Workspace::open(path(), Workspace::Mode::Create);
            setFaults("db.compact:eio@2");
            run = store(*workspace, points);
            QVERIFY(QTest::qWaitFor([&] { return count("chunk") > 0; }, 20'000));
            QCOMPARE(workspace->reader().metrics(run, "loss").size(), points.size());
        }
        setFaults("");
        const auto workspace = Workspace::open(path(), Workspace::Mode::ReadWrite);
        QVERIFY(becomesCompact());
        QCOMPARE(workspace->reader().metrics(run, "loss").size(), points.size());
        QVERIFY(workspace->writer().troubleText().empty());
    }
};

ORRERY_TEST(CurveChunkTest)
#include "curve_chunk_test.moc"
