#include "core/base/atomic_write.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/base/file_descriptor.h"
#include "tests/support/test_program.h"

namespace fs = std::filesystem;
using orrery::atomicWrite;
using orrery::Error;

class AtomicWriteTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path folder() const { return m_folder.path().toStdString(); }
    fs::path target() const { return folder() / "values.bin"; }

    static std::string contentOf(const fs::path& path) {
        return orrery::readFile(path, std::uint64_t{1} << 24U);
    }

    /// Names in the folder, sorted.
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const auto& entry : fs::directory_iterator(folder()))
            all.push_back(entry.path().filename().native());
        std::sort(all.begin(), all.end());
        return all;
    }

    /// Writes the new content in pieces that use the buffer and pass it by.
    void writeNew() const {
        atomicWrite(target(), [](orrery::FileWriter& file) {
            file.write("head");
            file.write(std::string(200000, 'n'));
            for (int i = 0; i < 100; ++i) file.write(std::string(1500, 'm'));
        });
    }
    static std::string newContent() {
        return "head" + std::string(200000, 'n') + std::string(150000, 'm');
    }

private Q_SLOTS:
    void init() {
        orrery::setFaults("");
        for (const auto& entry : fs::directory_iterator(folder())) fs::remove_all(entry.path());
    }

    void theNewContentReplacesTheOld() {
        atomicWrite(target(), "old");
        std::uint64_t offset = 0;
        atomicWrite(target(), [&offset](orrery::FileWriter& file) {
            file.write("abc");
            file.write(std::as_bytes(std::span("de", 2)));
            offset = file.offset();
        });
        QCOMPARE(contentOf(target()), std::string("abcde"));
        QCOMPARE(offset, std::uint64_t{5});
        QCOMPARE(names(), std::vector<std::string>{"values.bin"});
        struct stat info {};
        QCOMPARE(::stat(target().c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777U, 0600U);
        writeNew();
        QVERIFY(contentOf(target()) == newContent());
    }

    void aFailingWriterLeavesTheOldContent() {
        atomicWrite(target(), "old");
        QVERIFY_THROWS_EXCEPTION(Error, atomicWrite(target(), [](orrery::FileWriter& file) {
                                     file.write(std::string(100000, 'x'));
                                     throw Error("no more");
                                 }));
        QCOMPARE(contentOf(target()), std::string("old"));
        QCOMPARE(names(), std::vector<std::string>{"values.bin"});
    }

    void aLinkIsReplacedAndNotFollowed() {
        const fs::path other = folder() / "other";
        atomicWrite(other, "other");
        fs::create_symlink("other", target());
        atomicWrite(target(), "new");
        QVERIFY(!fs::is_symlink(target()));
        QCOMPARE(contentOf(other), std::string("other"));
        QCOMPARE(contentOf(target()), std::string("new"));
    }

    void namesOfAnyBytesWork_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("blanks and quotes") << QByteArray("t\xc3\xa2st \xe7\xa9\xba #%&'\"\n");
        QTest::newRow("not UTF-8") << QByteArray("\xff\xfe");
        QTest::newRow("250 bytes") << QByteArray(250, 'n');
        QTest::newRow("255 bytes") << QByteArray(255, 'n');
    }
    void namesOfAnyBytesWork() {
        QFETCH(QByteArray, name);
        const fs::path path = folder() / name.toStdString();
        atomicWrite(path, "content");
        QCOMPARE(contentOf(path), std::string("content"));
        QCOMPARE(names().size(), std::size_t{1});
    }

    void errorsNamePathReasonAndAdvice() {
        try {
            atomicWrite("/nowhere/at/all", "x");
            QFAIL("wrote into a folder that does not exist");
        } catch (const Error& e) {
            QCOMPARE(
                QByteArray(e.what()),
                QByteArray("Cannot write '/nowhere/at/all': No such file or directory (ENOENT). "
                           "Check the path."));
            QCOMPARE(e.exitStatus(), 6);
        }
        QVERIFY_THROWS_EXCEPTION(Error, atomicWrite(folder() / std::string(256, 'n'), "x"));
        QVERIFY_THROWS_EXCEPTION(Error, atomicWrite(folder() / std::string(5000, 'n'), "x"));
    }

    // Every file call fails in turn, once or from then on: the old or the new content is there,
    // whole, no other file stays behind, and success is told only with the new content.
    void everyFileCallMayFail_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<bool>("mustSucceed");
        for (const char* const name : {"enospc", "eio", "emfile", "edquot", "erofs"}) {
            QTest::addRow("%s once", name) << QByteArray(name) << false;
            QTest::addRow("%s for ever", name) << QByteArray(name) + "+" << false;
        }
        QTest::newRow("eintr once") << QByteArray("eintr") << true;
        QTest::newRow("short once") << QByteArray("short") << true;
        QTest::newRow("short for ever") << QByteArray("short+") << true;
    }
    void everyFileCallMayFail() {
        QFETCH(QByteArray, action);
        QFETCH(bool, mustSucceed);
        const bool forEver = action.endsWith('+');
        const std::string word = action.toStdString().substr(0, action.size() - (forEver ? 1 : 0));
        int failures = 0;
        for (int n = 1;; ++n) {
            orrery::setFaults("");
            atomicWrite(target(), "old");
            orrery::setFaults("file.*:" + word + "@" + std::to_string(n) + (forEver ? "+" : ""));
            bool told = true;
            try {
                writeNew();
            } catch (const Error& e) {
                told = false;
                ++failures;
                QCOMPARE(e.kind(), Error::Kind::Resource);
            }
            const auto hits = orrery::faultHits();
            orrery::setFaults("");
            const std::string content = contentOf(target());
            QVERIFY(content == "old" || content == newContent());
            QVERIFY(!told || content == newContent());
            QVERIFY(told || !mustSucceed);
            QCOMPARE(names(), std::vector<std::string>{"values.bin"});
            if (hits < std::uint64_t(n)) break;
            QVERIFY(n < 1000);
        }
        QVERIFY(mustSucceed || failures >= 8);
    }

    void afterTheRenameTheNewContentIsInPlaceAlready() {
        atomicWrite(target(), "old");
        orrery::setFaults("file.after_rename:enospc@1");
        QVERIFY_THROWS_EXCEPTION(orrery::DiskFullError, writeNew());
        QCOMPARE(orrery::faultHits(), std::uint64_t{1});
        QVERIFY(contentOf(target()) == newContent());
        orrery::setFaults("file.rename:enospc@1");
        QVERIFY_THROWS_EXCEPTION(orrery::DiskFullError, atomicWrite(target(), "newer"));
        QVERIFY(contentOf(target()) == newContent());
        orrery::setFaults("file.rename:eio@1");
        try {
            atomicWrite(target(), "newer");
            QFAIL("the fault was not met");
        } catch (const orrery::DiskFullError&) {
            QFAIL("a broken disk was taken for a full one");
        } catch (const Error& e) {
            QVERIFY(QByteArray(e.what()).contains("EIO"));
        }
        orrery::setFaults("");
        QCOMPARE(names(), std::vector<std::string>{"values.bin"});
    }

    void aKillAtAnyFileCallLeavesOldOrNew() {
        int killed = 0;
        for (int n = 1; n < 100; ++n) {
            atomicWrite(target(), "old");
            const pid_t child = ::fork();
            if (child == 0) {
                orrery::setFaults("file.*:kill@" + std::to_string(n));
                writeNew();
                ::_exit(0);
            }
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            const std::string content = contentOf(target());
            QVERIFY(content == "old" || content == newContent());
            orrery::sweepStaleTemps(folder());
            QCOMPARE(names(), std::vector<std::string>{"values.bin"});
            if (WIFEXITED(status)) {
                QCOMPARE(WEXITSTATUS(status), 0);
                QVERIFY(content == newContent());
                break;
            }
            QCOMPARE(WTERMSIG(status), SIGKILL);
            ++killed;
        }
        QVERIFY(killed >= 8);
    }

    void theSweepTakesOnlyFilesOfDeadWriters() {
        const pid_t child = ::fork();
        if (child == 0) ::_exit(0);
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        const std::string dead = std::to_string(child);
        const std::string living = std::to_string(::getppid());
        const std::vector<std::string> kept{".a.b.tmp", ".mine.0.tmp", ".x." + living + ".0.tmp",
                                            "x." + dead + ".0.tmp", ".x." + dead + ".0.tmp.txt"};
        for (const std::string& name : kept) std::ofstream(folder() / name) << "k";
        std::ofstream(folder() / (".values.bin." + dead + ".3.tmp")) << "s";
        fs::create_directory(folder() / (".dir." + dead + ".3.tmp"));
        atomicWrite(folder() / "seen", [&](orrery::FileWriter&) {
            QCOMPARE(orrery::sweepStaleTemps(folder()), std::size_t{1});
        });
        QCOMPARE(names().size(), kept.size() + 2);
        QCOMPARE(orrery::sweepStaleTemps(folder() / "none"), std::size_t{0});
    }

    void pathsBelowAFolderNeverLeaveIt() {
        fs::create_directories(folder() / "in" / "deep");
        atomicWrite(folder() / "in" / "deep" / "f", "inside");
        atomicWrite(folder() / "secret", "outside");
        fs::create_symlink("../../secret", folder() / "in" / "deep" / "link");
        fs::create_directory_symlink("..", folder() / "in" / "up");
        const fs::path in = folder() / "in";
        QVERIFY(orrery::openBeneath(in, "deep/f"));
        for (const char* const bad : {"", ".", "deep/../deep/f", "../secret", "/etc/passwd",
                                      "deep/link", "up/secret", "deep//./f", "deep/none"})
            QVERIFY2(!orrery::openBeneath(in, bad), bad);
    }

    void onlyRegularFilesOfTheRightSizeAreRead() {
        atomicWrite(target(), "12345");
        QCOMPARE(orrery::readFile(target(), 5), std::string("12345"));
        QVERIFY_THROWS_EXCEPTION(Error, orrery::readFile(target(), 4));
        QVERIFY_THROWS_EXCEPTION(Error, orrery::readFile(folder(), 100));
        QVERIFY_THROWS_EXCEPTION(Error, orrery::readFile("/dev/zero", 100));
        QCOMPARE(::mkfifo((folder() / "fifo").c_str(), 0600), 0);
        QVERIFY_THROWS_EXCEPTION(Error, orrery::readFile(folder() / "fifo", 100));
    }
};

ORRERY_TEST(AtomicWriteTest)
#include "atomic_write_test.moc"
