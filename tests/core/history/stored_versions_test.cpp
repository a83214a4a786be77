#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <filesystem>

#include "core/history/database.h"
#include "core/history/former_events.h"
#include "core/history/schema.h"
#include "core/history/workspace.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;
namespace fs = std::filesystem;

/// Opens databases that programs of former versions wrote.
class StoredVersionsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path path() const { return m_folder->filePath("w.orrery").toStdString(); }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        fs::create_directories(path());
        fs::copy_file(sourcePath("tests/data/history/version_1.db"), path() / "workspace.db");
    }

    void version1IsReadWithoutBeingChanged() {
        const auto workspace = Workspace::open(path(), Workspace::Mode::ReadOnly);
        const HistoryReader reader = workspace->reader();
        QCOMPARE(reader.schemaVersion(), 1);
        const auto runs = reader.listRuns({.withTrash = true, .newestFirst = false});
        QCOMPARE(runs.size(), std::size_t(2));
        QCOMPARE(runs[1].id, std::string("r00002"));
        QVERIFY(runs[0].tags.empty());
        QVERIFY(runs[0].trashedUtc.empty());
        QCOMPARE(runs[0].kind, std::string("solve"));
        QCOMPARE(reader.findRun("2").id, std::string("r00002"));
        QCOMPARE(reader.metrics("r00001", "solve/v_r_mean").size(), std::size_t(11));
        QVERIFY(!fs::exists(path() / "backup-v1.db"));
    }

    void version1IsMigratedWithItsRunsAndABackup() {
        const auto workspace = Workspace::open(path(), Workspace::Mode::ReadWrite);
        QVERIFY(workspace->writable());
        QCOMPARE(workspace->notices().size(), std::size_t(1));
        QVERIFY(QByteArray::fromStdString(workspace->notices()[0]).contains("version 1 to 3"));
        QCOMPARE(workspace->reader().schemaVersion(), kSchemaVersion);
        QCOMPARE(workspace->reader().listRuns().size(), std::size_t(2));
        QCOMPARE(workspace->reader().findRun("2").kind, std::string("solve"));
        QCOMPARE(workspace->reader().metrics("r00001", "solve/v_r_mean").size(), std::size_t(11));
        workspace->writer().editRuns(
            std::array{RunEdit{.run = "r00001", .tags = std::vector<std::string>{"old"}}});
        QCOMPARE(workspace->reader().run("r00001")->tags, std::vector<std::string>{"old"});
        const HistoryReader backup(path() / "backup-v1.db");
        QCOMPARE(backup.schemaVersion(), 1);
        QCOMPARE(backup.listRuns().size(), std::size_t(2));
    }

    void textsOfFormerEventsAreRead_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("step");  // -1: none
        QTest::addColumn<QString>("data");
        QTest::addColumn<bool>("isUnread");
        const auto row = [](const char* code, const char* text, int step, const char* data,
                            bool isUnread = false) {
            QTest::newRow(text) << QString::fromLatin1(code) << QString::fromUtf8(text) << step
                                << QString::fromUtf8(data) << isUnread;
        };
        row("steer", "step 2000: lr_q_r 0.0001 -> 0.0005 (orrery steer)", 2000,
            R"({"key":"lr_q_r","value":"0.0005","old":"0.0001","source":"orrery steer"})");
        row("steer", "step 9: beta_r 6.0 -> 5.0 (window undo)", 9,
            R"({"key":"beta_r","value":"5.0","old":"6.0","source":"window undo","undo":true})");
        row("steer.refused", "step 0: lr_q_r=-1 refused: lr_q_r must be > 0 [or so] (x)", 0,
            R"({"key":"lr_q_r","value":"-1","problem":"lr_q_r must be > 0 [or so]","source":"x"})");
        row("steer", "something else", -1, "", true);
        row("nan", "Training step 141 was skipped: loss of Q_r is not finite", 141, "");
        row("nan", "a step was skipped", -1, "", true);
        row("train.saved", "checkpoint of step 500", 500, "");
        row("train.resumed", "goes on from the checkpoint of step 100", 100, "");
        row("train.resumed", "has no good checkpoint and begins at the start", 0, "");
        row("checkpoint.interval",
            "Checkpoints are made every 120 s from here on: writing one takes 2.3 s", -1,
            R"({"seconds":120.0})");
        row("graph.opened", "opened 12.graph", -1, "");
    }
    void textsOfFormerEventsAreRead() {
        QFETCH(QString, code);
        QFETCH(QString, text);
        QFETCH(int, step);
        QFETCH(QString, data);
        QFETCH(bool, isUnread);
        const FormerEvent event = formerEvent(code.toStdString(), text.toStdString());
        QCOMPARE(event.step.value_or(-1), std::int64_t{step});
        QCOMPARE(QString::fromStdString(event.data), data);
        QCOMPARE(event.isUnread, isUnread);
    }

    void whatTheMigrationCannotReadIsNamed() {
        {
            Database database(path() / "workspace.db", Database::Access::Write);
            database.execute(
                "INSERT INTO event(run, seq, utc, level, code, text) VALUES "
                "('r00001', 9001, '2026-01-01', 'info', 'steer', 'as nobody wrote it'), "
                "('r00001', 9002, '2026-01-01', 'info', 'train.saved', 'checkpoint of step 7')");
        }
        const auto workspace = Workspace::open(path(), Workspace::Mode::ReadWrite);
        QVERIFY2(QByteArray::fromStdString(workspace->notices().at(0))
                     .contains("event 9001 of run r00001 stays a text: 'as nobody wrote it'"),
                 workspace->notices().at(0).c_str());
        const auto events = workspace->reader().events("r00001", 9000);
        QCOMPARE(events.size(), std::size_t{2});
        QVERIFY(!events[0].step && events[0].data.empty());
        QCOMPARE(events[0].text, std::string("as nobody wrote it"));
        QCOMPARE(events[1].step, std::optional<std::int64_t>(7));
    }
};

ORRERY_TEST(StoredVersionsTest)
#include "stored_versions_test.moc"
