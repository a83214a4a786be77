#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <filesystem>

#include "core/history/schema.h"
#include "core/history/workspace.h"
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
        fs::copy_file(fs::path(ORRERY_TEST_DATA) / "history" / "version_1.db",
                      path() / "workspace.db");
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
};

ORRERY_TEST(StoredVersionsTest)
#include "stored_versions_test.moc"
