#include "core/history/verify.h"

#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/history/database.h"
#include "core/history/workspace.h"
#include "tests/support/test_program.h"

namespace event = orrery::event;
using orrery::atomicWrite;
using orrery::Database;
using orrery::DbWriter;
using orrery::Error;
using orrery::Finding;
using orrery::sha256Hex;
using orrery::VerifyReport;
using orrery::verifyWorkspace;
using orrery::Workspace;
namespace fs = std::filesystem;

class VerifyTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path path() const { return m_folder->filePath("w.orrery").toStdString(); }

    /// The findings as "where: text" lines.
    QByteArray findings() const {
        QByteArray all;
        for (const Finding& finding : verifyWorkspace(path()).findings)
            all += QByteArray::fromStdString(finding.where + ": " + finding.text + "\n");
        return all;
    }

    void change(const char* sql) const {
        Database database(path() / "workspace.db", Database::Access::Write);
        database.execute("PRAGMA foreign_keys=OFF");
        database.execute(sql);
    }

    fs::path file() const { return path() / "runs/r00001/values.bin"; }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        const auto workspace = Workspace::open(path(), Workspace::Mode::Create);
        DbWriter& writer = workspace->writer();
        const std::string run = writer.createRun({.configJson = "{}"});
        workspace->makeRunFolder(run);
        atomicWrite(file(), "values");
        writer.record(run, {.body = event::Metric{1, "loss", 0.5}});
        writer.record(run, {.body = event::Artefact{"values", "runs/r00001/values.bin",
                                                    sha256Hex("values"), 6}});
        writer.addCheckpoint(run, {.generation = 1,
                                   .file = "runs/r00001/values.bin",
                                   .sha256 = sha256Hex("values"),
                                   .bytes = 6});
        writer.record(run, {.body = event::Finished{}});
    }

    void aGoodWorkspaceHasNoFindings() {
        const VerifyReport report = verifyWorkspace(path());
        QCOMPARE(findings(), QByteArray());
        QCOMPARE(report.schemaVersion, 3);
        QCOMPARE(report.runs, 1);
        QCOMPARE(report.metricRows, 1);
        QCOMPARE(report.eventRows, 1);
        QCOMPARE(report.filesChecked, 2);
    }

    void itWorksBesideAWriter() {
        const auto workspace = Workspace::open(path(), Workspace::Mode::ReadWrite);
        workspace->writer().createRun({.configJson = "{}"});
        QCOMPARE(findings(), QByteArray());
        QCOMPARE(verifyWorkspace(path()).runs, 2);
    }

    void everyKindOfDamageIsNamed_data() {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("missing") << QByteArray("missing") << QByteArray("cannot be opened");
        QTest::newRow("longer") << QByteArray("longer") << QByteArray("7 bytes instead of 6");
        QTest::newRow("changed") << QByteArray("changed") << QByteArray("SHA-256 differs");
        QTest::newRow("link") << QByteArray("link") << QByteArray("symbolic link");
        QTest::newRow("fifo") << QByteArray("fifo") << QByteArray("not a regular file");
    }
    void everyKindOfDamageIsNamed() {
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, expected);
        fs::remove(file());
        if (kind == "longer") atomicWrite(file(), "values!");
        if (kind == "changed") atomicWrite(file(), "VALUES");
        if (kind == "link") {
            atomicWrite(path() / "real", "values");
            fs::create_symlink("../../real", file());
        }
        if (kind == "fifo") QCOMPARE(::mkfifo(file().c_str(), 0600), 0);
        const QByteArray all = findings();
        QVERIFY2(all.contains("runs/r00001/values.bin: ") && all.contains(expected), all);
        QCOMPARE(all.count('\n'), 2);  // the artefact and the checkpoint
    }

    void namesThatLeadOutsideAreNotOpened() {
        change("UPDATE artefact SET file='../secret'; UPDATE checkpoint SET file='/etc/passwd'");
        const QByteArray all = findings();
        QVERIFY2(all.contains("../secret: The path leads out of the workspace"), all);
        QVERIFY2(all.contains("/etc/passwd: The path leads out of the workspace"), all);
        QCOMPARE(verifyWorkspace(path()).filesChecked, 0);
    }

    void rowsThatMakeNoSenseAreNamed() {
        change("UPDATE run SET config_json='{', state='dreaming'");
        change("INSERT INTO event VALUES('r00077', 1, 'u', 'info', 'c', 't', NULL, NULL)");
        const QByteArray all = findings();
        QVERIFY2(all.contains("run r00001: Its state is none"), all);
        QVERIFY2(all.contains("run r00001: Its stored spec is no JSON"), all);
        QVERIFY2(all.contains("'event' has a row of a run that does not exist"), all);
        change("UPDATE run SET state='finished', ended_utc=NULL");
        QVERIFY(findings().contains("has no time of its end"));
    }

    void aNewerVersionIsSaid() {
        change("PRAGMA user_version=9");
        QVERIFY(findings().contains("It has version 9; this program knows up to 3"));
    }

    void aMissingFolderIsAnErrorAndAnUnfinishedOneIsEmpty() {
        QVERIFY_THROWS_EXCEPTION(Error, verifyWorkspace(path() / "none"));
        fs::create_directory(path() / "new");
        QVERIFY(verifyWorkspace(path() / "new").findings.empty());
        fs::remove(path() / "workspace.db");
        fs::remove(path() / "lock");
        QVERIFY(findings().contains("workspace.db"));
    }
};

ORRERY_TEST(VerifyTest)
#include "verify_test.moc"
