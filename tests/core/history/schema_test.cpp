#include "core/history/schema.h"

#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <filesystem>

#include "core/base/fault.h"
#include "core/history/workspace.h"
#include "tests/support/test_program.h"

namespace event = orrery::event;
using orrery::Database;
using orrery::Error;
using orrery::HistoryReader;
using orrery::migrate;
using orrery::Migration;
using orrery::migrations;
using orrery::setFaults;
using orrery::Workspace;
namespace fs = std::filesystem;

namespace {

void addTable(Database& database, std::vector<std::string>&) {
    database.execute("CREATE TABLE added(x INTEGER) STRICT");
}
void addRow(Database& database, std::vector<std::string>& notes) {
    notes.emplace_back("One row was added.");
    database.execute("INSERT INTO added VALUES (42)");
}
void failHalfway(Database& database, std::vector<std::string>&) {
    database.execute("CREATE TABLE half(x INTEGER) STRICT");
    database.execute("INSERT INTO nowhere VALUES (1)");
}

}  // namespace

class SchemaTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path path() const { return m_folder->filePath("w.orrery").toStdString(); }
    fs::path file() const { return path() / "workspace.db"; }

    /// A workspace of the present version with one run.
    void makeWorkspace() const {
        const auto workspace = Workspace::open(path(), Workspace::Mode::Create);
        workspace->writer().createRun({.name = "kept"});
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        makeWorkspace();
    }
    void cleanup() { setFaults(""); }

    void theFileSaysWhatItIs() {
        Database database(file(), Database::Access::Read);
        QCOMPARE(database.integer("PRAGMA application_id"),
                 std::optional<std::int64_t>(0x4F525259));
        QCOMPARE(database.integer("PRAGMA user_version"), std::optional<std::int64_t>(3));
        QCOMPARE(database.text("PRAGMA journal_mode"), std::string("wal"));
        QCOMPARE(database.text("SELECT group_concat(name) FROM (SELECT name FROM pragma_table_list "
                               "WHERE schema='main' AND type='table' AND name NOT LIKE 'sqlite_%' "
                               "AND strict ORDER BY name)"),
                 std::string("artefact,checkpoint,chunk,curve,event,meta,point,power,run,tag"));
        QFile raw(QString::fromStdString(file().native()));
        QVERIFY(raw.open(QIODevice::ReadOnly));
        QCOMPARE(raw.read(72).mid(68), QByteArray("ORRY"));
    }

    void aPresentVersionIsLeftAlone() {
        Database database(file(), Database::Access::Write);
        QCOMPARE(migrate(database, file(), migrations()), std::string());
        QVERIFY(!fs::exists(path() / "backup-v3.db"));
    }

    void migrationBacksUpAndRunsEveryStep() {
        const std::array<Migration, 5> steps{migrations()[0], migrations()[1], migrations()[2],
                                             addTable, addRow};
        Database database(file(), Database::Access::Write);
        const std::string notice = migrate(database, file(), steps);
        QVERIFY(QByteArray::fromStdString(notice).contains("from version 3 to 5"));
        QVERIFY(QByteArray::fromStdString(notice).endsWith(" One row was added."));
        QCOMPARE(database.integer("PRAGMA user_version"), std::optional<std::int64_t>(5));
        QCOMPARE(database.integer("SELECT x FROM added"), std::optional<std::int64_t>(42));
        const HistoryReader backup(path() / "backup-v3.db");
        QCOMPARE(backup.schemaVersion(), 3);
        QCOMPARE(backup.listRuns().at(0).name, std::string("kept"));
    }

    void aMigrationThatFailsChangesNothing_data() {
        QTest::addColumn<QByteArray>("fault");
        QTest::newRow("bad statement") << QByteArray();
        QTest::newRow("before the backup") << QByteArray("migrate.backup:throw");
        QTest::newRow("backup not synced") << QByteArray("file.fsync:eio");
        QTest::newRow("in the second step") << QByteArray("migrate.step:throw@2");
        QTest::newRow("before the commit") << QByteArray("migrate.commit:throw");
    }
    void aMigrationThatFailsChangesNothing() {
        QFETCH(QByteArray, fault);
        const std::array<Migration, 5> steps{migrations()[0], migrations()[1], migrations()[2],
                                             addTable, fault.isEmpty() ? failHalfway : addRow};
        {
            Database database(file(), Database::Access::Write);
            setFaults(fault.toStdString());
            QVERIFY_THROWS_EXCEPTION(Error, migrate(database, file(), steps));
            setFaults("");
            QCOMPARE(database.integer("PRAGMA user_version"), std::optional<std::int64_t>(3));
            QCOMPARE(database.integer("SELECT count(*) FROM sqlite_schema WHERE name IN "
                                      "('added', 'half')"),
                     std::optional<std::int64_t>(0));
        }
        const auto workspace = Workspace::open(path(), Workspace::Mode::ReadWrite);
        QVERIFY(workspace->writable());
        QCOMPARE(workspace->reader().listRuns().at(0).name, std::string("kept"));
    }

    void theViewsAnswerOtherPrograms() {
        const auto workspace = Workspace::open(path(), Workspace::Mode::ReadWrite);
        for (int i = 0; i < 3; ++i)
            workspace->writer().record("r00001", {.body = event::Metric{i, "loss", 10.0 - i}});
        QVERIFY(workspace->writer().flush());
        Database database(file(), Database::Access::Read);
        QCOMPARE(database.integer("SELECT metric_rows FROM v_runs"),
                 std::optional<std::int64_t>(3));
        QCOMPARE(database.text("SELECT step || ' ' || value FROM v_latest WHERE key='loss'"),
                 std::string("2 8.0"));
        QCOMPARE(
            database.text("SELECT group_concat(run || ' ' || key || ' ' || step || ' ' || value, "
                          "', ') FROM metric WHERE run='r00001'"),
            std::string("r00001 loss 0 10.0, r00001 loss 1 9.0, r00001 loss 2 8.0"));
    }
};

ORRERY_TEST(SchemaTest)
#include "schema_test.moc"
