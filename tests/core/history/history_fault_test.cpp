#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/base/sha256.h"
#include "core/history/verify.h"
#include "core/history/workspace.h"
#include "tests/support/fast_folder.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace std::chrono_literals;
namespace event = orrery::event;
using orrery::atomicWrite;
using orrery::Commit;
using orrery::DbWriter;
using orrery::Error;
using orrery::faultHits;
using orrery::Finding;
using orrery::RunState;
using orrery::setFaults;
using orrery::sha256Hex;
using orrery::VerifyReport;
using orrery::verifyWorkspace;
using orrery::Workspace;
namespace fs = std::filesystem;

/// A whole little run, with a fault at every compiled-in point around files and database in turn:
/// whatever was acknowledged is there afterwards, and the workspace is sound.
class HistoryFaultTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path path() const { return m_folder->filePath("w.orrery").toStdString(); }

    /// @param patience for the end, where all is to be saved
    /// @return metric rows acknowledged; `saved` tells whether all was said to be saved
    std::uint64_t littleRun(bool& saved, std::chrono::milliseconds patience) const {
        std::atomic<std::uint64_t> acknowledged{0};
        saved = false;
        DbWriter::Options options{.batchRows = 8,
                                  .batchTime = 5ms,
                                  .retryPause = 1ms,
                                  .requestPatience = patience,
                                  .endPatience = std::min(patience, 20ms)};
        options.onCommit = [&acknowledged](const Commit& commit) {
            acknowledged = commit.metricRowsTotal;
        };
        try {
            const auto workspace = Workspace::open(path(), Workspace::Mode::Create, options);
            DbWriter& writer = workspace->writer();
            const std::string run = writer.createRun({.configJson = "{}"});
            writer.record(run, {.body = event::State{RunState::Running}});
            for (int i = 0; i < 20; ++i)
                writer.record(run, {.body = event::Metric{i, "loss", 1.0}});
            const std::string relative = "runs/" + run + "/values.bin";
            workspace->makeRunFolder(run);
            atomicWrite(path() / relative, "values");
            writer.record(run,
                          {.body = event::Artefact{"values", relative, sha256Hex("values"), 6}});
            writer.record(run, {.body = event::Finished{}});
            saved = writer.flush(patience);
        } catch (const Error&) {
        }
        return acknowledged;
    }

private Q_SLOTS:
    void cleanup() { setFaults(""); }

    void everyPointMayFail_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<QByteArray>("points");
        for (const char* const points : {"file.*", "db.*"})
            for (const char* const action : {"enospc", "enospc+", "eio", "eio+", "throw"})
                QTest::addRow("%s %s", points, action) << QByteArray(action) << QByteArray(points);
        QTest::newRow("file.* eintr") << QByteArray("eintr") << QByteArray("file.*");
        QTest::newRow("file.* short+") << QByteArray("short+") << QByteArray("file.*");
    }
    void everyPointMayFail() {
        QFETCH(QByteArray, action);
        QFETCH(QByteArray, points);
        const bool forEver = action.endsWith('+');
        const std::string word = action.toStdString().substr(0, action.size() - (forEver ? 1 : 0));
        int tested = 0;
        for (int n = 1; n < 200; ++n) {
            m_folder = std::make_unique<QTemporaryDir>(fastFolder());
            setFaults(points.toStdString() + ":" + word + "@" + std::to_string(n) +
                      (forEver ? "+" : ""));
            bool saved = false;
            const std::uint64_t acknowledged =
                littleRun(saved, forEver && word != "short" ? 2ms : orrery::test::kHang);
            const std::uint64_t hits = faultHits();
            setFaults("");
            const QByteArray where = "point " + QByteArray::number(n);
            std::error_code error;
            if (fs::exists(path(), error)) {
                const VerifyReport report = verifyWorkspace(path());
                for (const Finding& finding : report.findings)
                    QFAIL((where + ": " + finding.where.c_str() + ": " + finding.text.c_str()));
                QVERIFY2(std::uint64_t(report.metricRows) >= acknowledged, where);
                if (saved) QCOMPARE(report.metricRows, 20);
                if (saved) QCOMPARE(report.filesChecked, 1);
            } else {
                QVERIFY2(!saved && acknowledged == 0, where);
            }
            // And the next start goes on as if nothing had been.
            QVERIFY(Workspace::open(path(), Workspace::Mode::Create)->writable());
            if (action == "eintr" || action == "short+") QVERIFY2(saved, where);
            if (hits < std::uint64_t(n)) break;
            ++tested;
        }
        QVERIFY2(tested >= 5 && tested < 199, std::to_string(tested).c_str());
    }
};

ORRERY_TEST(HistoryFaultTest)
#include "history_fault_test.moc"
