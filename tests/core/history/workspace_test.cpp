#include "core/history/workspace.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "child.h"
#include "core/history/database.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using orrery::Database;
using orrery::DbWriter;
using orrery::Error;
using orrery::HistoryReader;
using orrery::LockHolder;
using orrery::RunFilter;
using orrery::RunRecord;
using orrery::RunState;
using orrery::Workspace;
using orrery::WorkspaceLock;
namespace fs = std::filesystem;
using Mode = Workspace::Mode;

class WorkspaceTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path top() const { return m_folder->path().toStdString(); }
    fs::path path() const { return top() / "w.orrery"; }
    Child child(const std::string& verb, const std::string& number = "") const {
        return Child({verb, path(), number}, top() / (verb + ".out"));
    }

    static Error::Kind kindOfOpening(const fs::path& folder, Mode mode) {
        try {
            Workspace::open(folder, mode);
        } catch (const Error& e) {
            return e.kind();
        }
        return Error::Kind::Failed;
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void creationMakesAnEmptyHistoryThatOpensAgain() {
        {
            const auto workspace = Workspace::open(top() / "a" / "b" / "w.orrery/", Mode::Create);
            QVERIFY(workspace->writable());
            QVERIFY(workspace->notices().empty());
            QVERIFY(workspace->reader().listRuns().empty());
            QCOMPARE(workspace->folder(), top() / "a" / "b" / "w.orrery");
            QCOMPARE(workspace->makeRunFolder("r00001"), workspace->folder() / "runs" / "r00001");
            QVERIFY(fs::is_directory(workspace->runFolder("r00001")));
            struct stat info {};
            QCOMPARE(::stat(workspace->folder().c_str(), &info), 0);
            QCOMPARE(info.st_mode & 0777U, 0700U);
        }
        QVERIFY(Workspace::open(top() / "a/b/w.orrery", Mode::Create)->writable());
        QVERIFY(!Workspace::open(top() / "a/b/w.orrery", Mode::ReadOnly)->writable());
    }

    void whatIsNoWorkspaceIsRefused() {
        QCOMPARE(kindOfOpening(path(), Mode::ReadOnly), Error::Kind::Resource);
        QCOMPARE(kindOfOpening(path(), Mode::ReadWrite), Error::Kind::Resource);
        fs::create_directory(top() / "other");
        std::ofstream(top() / "other" / "letter.txt") << "dear";
        for (const Mode mode : {Mode::ReadOnly, Mode::ReadWrite, Mode::Create})
            QCOMPARE(kindOfOpening(top() / "other", mode), Error::Kind::BadInput);
        QCOMPARE(kindOfOpening(top() / "other" / "letter.txt", Mode::Create),
                 Error::Kind::BadInput);
        QCOMPARE(std::distance(fs::directory_iterator(top() / "other"), {}), 1);
        std::ofstream(top() / "other" / "workspace.db") << "no database at all, only text";
        for (const Mode mode : {Mode::ReadOnly, Mode::ReadWrite, Mode::Create})
            QCOMPARE(kindOfOpening(top() / "other", mode), Error::Kind::Damaged);
        { Database(top() / "strange.db", Database::Access::Create).execute("CREATE TABLE t(x)"); }
        fs::copy_file(top() / "strange.db", top() / "other" / "workspace.db",
                      fs::copy_options::overwrite_existing);
        for (const Mode mode : {Mode::ReadOnly, Mode::ReadWrite})
            QCOMPARE(kindOfOpening(top() / "other", mode), Error::Kind::BadInput);
    }

    void pathsOfAnyBytesWork_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("odd") << QByteArray("t\xc3\xa2st \xe7\xa9\xba #%&'\"?\n");
        QTest::newRow("not UTF-8") << QByteArray("\xff\xfe");
        QTest::newRow("250 bytes") << QByteArray(250, 'n');
    }
    void pathsOfAnyBytesWork() {
        QFETCH(QByteArray, name);
        const fs::path folder = top() / name.toStdString();
        QCOMPARE(Workspace::open(folder, Mode::Create)->writer().createRun({}),
                 std::string("r00001"));
        fs::create_directory_symlink(folder, top() / "link");
        QCOMPARE(Workspace::open(top() / "link/", Mode::ReadWrite)->writer().createRun({}),
                 std::string("r00002"));
        QVERIFY(fs::exists(folder / "workspace.db"));
        const HistoryReader reader(folder / "workspace.db");
        QCOMPARE(reader.listRuns().size(), std::size_t{2});
    }

    void theDefaultFolderFollowsXdg() {
        const QByteArray before = qgetenv("XDG_DATA_HOME");
        const QByteArray home = qgetenv("HOME");
        qputenv("XDG_DATA_HOME", "/data");
        QCOMPARE(Workspace::defaultFolder(), fs::path("/data/orrery/default.orrery"));
        qputenv("XDG_DATA_HOME", "relative");  // to be ignored, says the XDG specification
        qputenv("HOME", "/home/x");
        QCOMPARE(Workspace::defaultFolder(),
                 fs::path("/home/x/.local/share/orrery/default.orrery"));
        qputenv("HOME", home);
        before.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", before);
    }

    void theSecondOpenerReadsAndIsToldWhoWrites() {
        Workspace::open(path(), Mode::Create)->writer().createRun({.name = "first"});
        const Child holder = child("open");
        QVERIFY(holder.waitFor("WRITER\n"));
        const auto second = Workspace::open(path(), Mode::ReadWrite);
        QVERIFY(!second->writable());
        const LockHolder who = WorkspaceLock::readHolder(path()).value();
        QVERIFY(who.isAlive());
        QCOMPARE(who.sinceUtc.size(), std::size_t{24});
        const QByteArray reason = QByteArray::fromStdString(second->readOnlyReason());
        QVERIFY(reason.contains("in use by process " + QByteArray::number(qint64(who.pid)) +
                                " on host '"));
        QVERIFY(reason.contains(("since " + who.sinceUtc).c_str()));
        QCOMPARE(second->reader().listRuns().at(0).name, std::string("first"));
        try {
            second->writer();
            QFAIL("two writers");
        } catch (const Error& e) {
            QCOMPARE(e.exitStatus(), 6);
            QCOMPARE(QByteArray(e.what()), reason);
        }
    }

    void aKilledHolderIsFollowedWithinASecond() {
        Workspace::open(path(), Mode::Create);
        Child holder = child("open");
        QVERIFY(holder.waitFor("WRITER\n"));
        holder.kill(SIGKILL);
        holder.wait();
        QVERIFY(!WorkspaceLock::readHolder(path())->isAlive());
        const auto begin = std::chrono::steady_clock::now();
        QVERIFY(Workspace::open(path(), Mode::ReadWrite)->writable());
        const auto limit = orrery::test::latencyLimit(std::chrono::seconds(1));
        QVERIFY(std::chrono::steady_clock::now() - begin < limit);
    }

    void twoProcessesNeverWriteAtOnce() {
        Workspace::open(path(), Mode::Create);
        Child a({"race", path(), "150"}, top() / "a.out");
        Child b({"race", path(), "150"}, top() / "b.out");
        QCOMPARE(a.exitStatus(), 0);
        QCOMPARE(b.exitStatus(), 0);
        long long writers = 0;
        long long readers = 0;
        for (const Child* const child : {&a, &b}) {
            writers += lastNumber(child->output(), "WRITER");
            readers += lastNumber(child->output(), "READER");
        }
        QCOMPARE(writers + readers, 300);
        QVERIFY(writers > 20);
        QVERIFY(readers > 0);  // or nothing was tested
    }

    void runsOfADeadProcessAreMarkedInterrupted() {
        Child writer = child("write", "0");
        QVERIFY(writer.waitFor("COMMIT", 50));
        {
            const auto beside = Workspace::open(path(), Mode::ReadWrite);  // the writer lives
            QVERIFY(beside->interruptedRuns().empty());
            QCOMPARE(beside->reader().run("r00001")->state, std::optional(RunState::Running));
        }
        writer.kill(SIGKILL);
        writer.wait();
        {
            const auto looked = Workspace::open(path(), Mode::ReadOnly);  // reading changes nothing
            QCOMPARE(looked->reader().run("r00001")->state, std::optional(RunState::Running));
        }
        const auto workspace = Workspace::open(path(), Mode::ReadWrite);
        QCOMPARE(workspace->interruptedRuns(), std::vector<std::string>{"r00001"});
        const RunRecord run = workspace->reader().run("r00001").value();
        QCOMPARE(run.state, std::optional(RunState::Interrupted));
        QCOMPARE(run.endedUtc, run.heartbeatUtc);
        QVERIFY(!run.endedUtc.empty());
    }

    void aRunThatWasNeverBegunIsInterruptedToo() {
        Workspace::open(path(), Mode::Create)->writer().createRun({.name = "not begun"});
        const auto workspace = Workspace::open(path(), Mode::ReadWrite);
        QCOMPARE(workspace->interruptedRuns(), std::vector<std::string>{"r00001"});
        const RunRecord run = workspace->reader().run("r00001").value();
        QCOMPARE(run.state, std::optional(RunState::Interrupted));
        QVERIFY(!run.createdUtc.empty());
        QCOMPARE(run.endedUtc, run.createdUtc);
    }

    void aStopRequestEndsTheRunInOrder() {
        Child writer = child("write", "0");
        QVERIFY(writer.waitFor("COMMIT", 50));
        writer.kill(SIGTERM);
        QCOMPARE(writer.exitStatus(), 143);
        const auto workspace = Workspace::open(path(), Mode::ReadWrite);
        QVERIFY(workspace->interruptedRuns().empty());
        QCOMPARE(workspace->reader().run("r00001")->state, std::optional(RunState::Stopped));
        QCOMPARE(workspace->reader().metricRowCount(),
                 std::int64_t(lastNumber(writer.output(), "COMMIT")));
    }

    void aNewerVersionIsOnlyRead() {
        Workspace::open(path(), Mode::Create)->writer().createRun({.name = "old"});
        {
            Database database(path() / "workspace.db", Database::Access::Write);
            database.execute(
                "PRAGMA user_version=7; ALTER TABLE run ADD COLUMN mood TEXT;"
                "UPDATE run SET state='dreaming'");
        }
        const auto workspace = Workspace::open(path(), Mode::ReadWrite);
        QVERIFY(!workspace->writable());
        QVERIFY(QByteArray::fromStdString(workspace->readOnlyReason())
                    .contains("has version 7; this program writes version 3"));
        QCOMPARE(workspace->reader().listRuns().at(0).name, std::string("old"));
        QVERIFY(!workspace->reader().listRuns().at(0).state);
        QCOMPARE(workspace->reader().schemaVersion(), 7);
        try {
            workspace->writer();
            QFAIL("wrote into newer data");
        } catch (const Error& e) {
            QCOMPARE(e.exitStatus(), 5);
        }
    }

    // As a user without rights: root may write anywhere.
    void aReadOnlyFolderIsRead() {
        {
            const auto workspace = Workspace::open(path(), Mode::Create);
            workspace->writer().createRun({.name = "seen"});
        }
        const pid_t reader = ::fork();
        if (reader == 0) {
            // The other user needs a way in; the folder itself is without write access for it.
            ::chmod(top().c_str(), 0755);
            ::chmod(path().c_str(), 0555);
            ::chmod((path() / "workspace.db").c_str(), 0444);
            ::chmod((path() / "lock").c_str(), 0444);
            if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(9);
            int result = 1;
            try {
                const auto workspace = Workspace::open(path(), Mode::ReadWrite);
                const bool told = workspace->readOnlyReason().find("(EACCES)") != std::string::npos;
                const bool same = workspace->reader().listRuns().at(0).name == "seen";
                result = workspace->writable() ? 2 : !told ? 3 : !same ? 4 : 0;
            } catch (const std::exception&) {
                result = 5;
            }
            ::_exit(result);
        }
        int status = 0;
        QCOMPARE(::waitpid(reader, &status, 0), reader);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
        fs::permissions(path(), fs::perms::owner_all);
    }

    void runsAreFoundFilteredAndSorted() {
        const auto workspace = Workspace::open(path(), Mode::Create);
        DbWriter& writer = workspace->writer();
        writer.createRun({.name = "Alpha", .worldHash = "w1"});
        writer.createRun({.name = "beta", .parent = "r00001", .worldHash = "w2"});
        writer.createRun({.name = "beta", .worldHash = "w1", .note = "100% alpha_rate"});
        const std::array queued{RunState::Queued};
        writer.changeState("r00002", queued, RunState::Running);
        const HistoryReader reader = workspace->reader();
        const auto ids = [&reader](const RunFilter& filter) {
            QByteArray all;
            for (const RunRecord& run : reader.listRuns(filter))
                all += QByteArray::fromStdString(run.id.substr(5));
            return all;
        };
        QCOMPARE(ids({}), QByteArray("321"));
        QCOMPARE(ids({.newestFirst = false}), QByteArray("123"));
        QCOMPARE(ids({.text = "ALPHA"}), QByteArray("31"));
        QCOMPARE(ids({.text = "%"}), QByteArray("3"));
        QCOMPARE(ids({.text = "_"}), QByteArray("3"));
        QCOMPARE(ids({.worldHash = "w1"}), QByteArray("31"));
        QCOMPARE(ids({.parent = "r00001"}), QByteArray("2"));
        QCOMPARE(ids({.states = {RunState::Running, RunState::Failed}}), QByteArray("2"));
        QCOMPARE(ids({.limit = 1, .offset = 1}), QByteArray("2"));
        QCOMPARE(reader.findRun("r00002").ordinal, 2);
        QCOMPARE(reader.findRun("3").ordinal, 3);
        QCOMPARE(reader.findRun("Alpha").ordinal, 1);
        const auto textOf = [&reader](const std::string& text) {
            try {
                reader.findRun(text);
            } catch (const Error& e) {
                return QByteArray(e.what());
            }
            return QByteArray();
        };
        QVERIFY(textOf("beta").contains("r00002, r00003"));
        QVERIFY(textOf("Alhpa").contains("Did you mean 'Alpha'?"));
        QVERIFY(textOf("9").contains("There is no run '9'"));
    }
};

ORRERY_TEST(WorkspaceTest)
#include "workspace_test.moc"
