#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/rng.h"
#include "core/history/verify.h"
#include "core/history/workspace.h"
#include "tests/support/fast_folder.h"
#include "tests/support/test_program.h"

namespace event = orrery::event;
using orrery::HistoryReader;
using orrery::MetricRow;
using orrery::readFile;
using orrery::Rng;
using orrery::RunRecord;
using orrery::verifyWorkspace;
using orrery::Workspace;
namespace fs = std::filesystem;
using Mode = Workspace::Mode;

/// Damaged databases: an Error or a finding, never a crash, and never a wrong number without one.
class DamageTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_top{fastFolder()};
    std::string m_good;  // the bytes of a sound database
    std::string m_base;  // of the same one before its log was moved into it
    std::string m_log;   // that log

    fs::path top() const { return m_top.path().toStdString(); }
    fs::path path() const { return top() / "w.orrery"; }
    fs::path file() const { return path() / "workspace.db"; }

    void put(const std::string& database, const std::string& log = "") const {
        for (const char* const suffix : {"", "-wal", "-shm"}) fs::remove(file().native() + suffix);
        std::ofstream(file(), std::ios::binary) << database;
        if (!log.empty()) std::ofstream(file().native() + "-wal", std::ios::binary) << log;
    }

    /// Reads everything. @return true if all values are those that were written
    bool readAll() const {
        const auto workspace = Workspace::open(path(), Mode::ReadOnly);
        const HistoryReader reader = workspace->reader();
        bool same = reader.listRuns().size() == 3;
        for (const char* const run : {"r00001", "r00002", "r00003"}) {
            const std::vector<MetricRow> rows = reader.metrics(run, "loss");
            same = same && rows.size() == 300 && reader.events(run).size() == 40;
            for (std::size_t i = 0; i < rows.size(); ++i)
                same = same && rows[i].step == std::int64_t(i) && rows[i].value == 0.5 * double(i);
        }
        return same;
    }

    enum class Outcome { Same, Error, Finding, Silent };
    Outcome outcome() const {
        Outcome result = Outcome::Silent;
        try {
            if (readAll()) result = Outcome::Same;
        } catch (const orrery::Error&) {
            result = Outcome::Error;
        }
        try {
            const bool sound = verifyWorkspace(path()).findings.empty();
            if (!sound && result != Outcome::Error) result = Outcome::Finding;
        } catch (const orrery::Error&) {
            result = Outcome::Error;
        }
        try {
            const auto workspace = Workspace::open(path(), Mode::ReadWrite);
            if (workspace->writable()) workspace->writer().flush(std::chrono::milliseconds(500));
        } catch (const orrery::Error&) {
        }
        return result;
    }

private Q_SLOTS:
    void initTestCase() {
        // Small batches: the log has many commits.
        const auto workspace = Workspace::open(path(), Mode::Create, {.batchRows = 20});
        for (int run = 0; run < 3; ++run) {
            const std::string id = workspace->writer().createRun({.configJson = "{}"});
            for (int i = 0; i < 300; ++i)
                workspace->writer().record(id, {.body = event::Metric{i, "loss", 0.5 * i}});
            for (int i = 0; i < 40; ++i)
                workspace->writer().record(
                    id, {.body = event::Message{.code = "c", .text = std::string(200, 't')}});
        }
        QVERIFY(workspace->writer().flush());
        m_base = readFile(file(), 1U << 30U);
        m_log = readFile(file().native() + "-wal", 1U << 30U);
        QVERIFY(m_log.size() > 10000);
    }

    void theSoundOneIsReadBack() {
        m_good = readFile(file(), 1U << 30U);
        put(m_good);
        QCOMPARE(outcome(), Outcome::Same);
        QVERIFY(m_good.size() > 40000);
    }

    void everyByteOfTheHeaderMayChange() {
        int harmless = 0;
        for (std::size_t i = 0; i < 100; ++i) {
            std::string bad = m_good;
            bad[i] = static_cast<char>(~bad[i]);
            put(bad);
            const Outcome result = outcome();
            harmless += result == Outcome::Same ? 1 : 0;
            QVERIFY2(result != Outcome::Silent, std::to_string(i).c_str());
        }
        QVERIFY(harmless < 80);  // counters and reserved bytes
    }

    void randomBytesAndPagesMayChange() {
        Rng rng(11);
        int noticed = 0;
        int silent = 0;
        constexpr int kCases = 250;
        for (int i = 0; i < kCases; ++i) {
            std::string bad = m_good;
            const std::size_t at = rng.below(bad.size());
            switch (rng.below(4)) {
                case 0:  // one byte
                    bad[at] = static_cast<char>(rng.next());
                    break;
                case 1:  // a page of zeros
                    std::fill_n(bad.begin() + std::ptrdiff_t(at / 4096 * 4096), 4096, '\0');
                    break;
                case 2:  // cut off
                    bad.resize(at);
                    break;
                default:  // a page of noise
                    for (std::size_t j = at / 4096 * 4096, end = j + 4096; j < end; ++j)
                        bad[j] = static_cast<char>(rng.next());
            }
            put(bad);
            const Outcome result = outcome();
            noticed += result == Outcome::Error || result == Outcome::Finding ? 1 : 0;
            silent += result == Outcome::Silent ? 1 : 0;
        }
        // SQLite has no page checksums: one changed byte inside a value cannot be noticed.
        QVERIFY2(noticed > kCases / 2, std::to_string(noticed).c_str());
        QVERIFY2(silent < kCases / 4, std::to_string(silent).c_str());
    }

    // The log's own checksums end it at the damage: what was committed before it is there, whole.
    void aBrokenLogGivesAnEarlierMoment() {
        Rng rng(12);
        std::size_t least = SIZE_MAX;
        std::size_t most = 0;
        for (int i = 0; i < 60; ++i) {
            std::string log = m_log;
            if (i % 3 == 0) log.resize(rng.below(log.size()));
            if (i % 3 == 1) log[rng.below(log.size())] ^= 0x5A;
            if (i % 3 == 2) log = std::string(rng.below(20000), static_cast<char>(rng.next()));
            put(m_base, log);
            QVERIFY(verifyWorkspace(path()).findings.empty());
            const auto workspace = Workspace::open(path(), Mode::ReadWrite);
            QVERIFY(workspace->writable());
            std::size_t rowsInAll = 0;
            for (const RunRecord& run : workspace->reader().listRuns()) {
                const std::vector<MetricRow> rows = workspace->reader().metrics(run.id, "loss");
                rowsInAll += rows.size();
                for (std::size_t j = 0; j < rows.size(); ++j)
                    QVERIFY(rows[j].step == std::int64_t(j) && rows[j].value == 0.5 * double(j));
            }
            least = std::min(least, rowsInAll);
            most = std::max(most, rowsInAll);
        }
        QCOMPARE(least, std::size_t{0});
        QVERIFY(most >= 300);  // or nothing but empty histories was looked at
    }

    void strangeSharedMemoryIsMadeAnew() {
        put(m_good);
        std::ofstream(file().native() + "-shm") << std::string(32768, 'x');
        QCOMPARE(outcome(), Outcome::Same);
    }

    void emptyAndTinyFilesAreErrors() {
        for (const std::size_t size : {0, 1, 15, 16, 99, 100, 511, 512, 4095}) {
            put(m_good.substr(0, size));
            QVERIFY(outcome() == Outcome::Error || outcome() == Outcome::Finding);
        }
    }
};

ORRERY_TEST(DamageTest)
#include "damage_test.moc"
