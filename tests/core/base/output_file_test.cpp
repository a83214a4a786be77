#include "core/base/output_file.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "core/base/file_descriptor.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace orrery;
using namespace std::chrono_literals;
using orrery::test::isAsleep;
using orrery::test::waitUntil;

namespace {

std::string contentOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

class OutputFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFileIsReplacedWhole() {
        const auto file = path("result.csv");
        QVERIFY(writeOutput(file, "old"));
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, writeOutput(file, [](FileWriter& out) -> bool {
                                     out.write("half");
                                     throw std::runtime_error("no more");
                                 }));
        QVERIFY(!writeOutput(file, [](FileWriter& out) {
            out.write("given up");
            return false;
        }));
        QCOMPARE(contentOf(file), std::string("old"));
        QVERIFY(writeOutput(file, "new"));
        QCOMPARE(contentOf(file), std::string("new"));
    }

    void filesFullFoldersAndLinksHoldSomethingStreamsNothing() {
        QVERIFY(!holdsSomething(path("none")));
        QVERIFY(writeOutput(path("some"), ""));
        QVERIFY(holdsSomething(path("some")));
        std::filesystem::create_directory(path("empty"));
        QVERIFY(!holdsSomething(path("empty")));
        QVERIFY(holdsSomething(path("empty").parent_path()));
        std::filesystem::create_symlink(path("none"), path("astray"));
        QVERIFY(holdsSomething(path("astray")));
        QCOMPARE(::mkfifo(path("stream").c_str(), 0600), 0);
        for (const std::filesystem::path& stream :
             {path("stream"), std::filesystem::path("-"), std::filesystem::path("/dev/null"),
              std::filesystem::path("/dev/stdout"), std::filesystem::path()})
            QVERIFY2(!holdsSomething(stream), stream.c_str());
    }

    void aPipeStaysAPipeAndItsReaderGetsAllBytes() {
        const auto pipe = path("pipe");
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        std::string content;
        for (int i = 0; i < 50'000; ++i) content += std::to_string(i) + "\n";
        std::string read;
        std::thread reader([&, writer = ::gettid()] {
            waitUntil([&] { return isAsleep(writer); });  // it is there first
            read = contentOf(pipe);
        });
        const bool isWritten = writeOutput(pipe, content);
        reader.join();
        QVERIFY(isWritten);
        QVERIFY(read == content);
        struct stat info {};
        QCOMPARE(::stat(pipe.c_str(), &info), 0);
        QVERIFY(S_ISFIFO(info.st_mode));
    }

    void aPipeBehindALinkStaysAPipe() {
        const auto pipe = path("linked_pipe"), link = path("link");
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        std::filesystem::create_symlink(pipe, link);
        std::string read;
        std::thread reader([&] { read = contentOf(pipe); });
        QVERIFY(writeOutput(link, "content"));
        reader.join();
        QCOMPARE(read, std::string("content"));
        QVERIFY(std::filesystem::is_symlink(link));
    }

    void aStopEndsTheWaitForAReader() {
        const auto pipe = path("lonely_pipe");
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        std::stop_source stop;
        const std::jthread stopper([&, writer = ::gettid()] {
            waitUntil([&] { return isAsleep(writer); });
            stop.request_stop();
        });
        const auto begin = std::chrono::steady_clock::now();
        QVERIFY(!writeOutput(pipe, "content", stop.get_token()));
        // A stop acts within 20 ms; a busy machine has five hundred times as long.
        QVERIFY(std::chrono::steady_clock::now() - begin < 10s);
    }

    void aStopEndsTheWaitForASleepingReader() {
        const auto pipe = path("full_pipe");
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        const FileDescriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
        std::stop_source stop;
        const std::jthread stopper([&, writer = ::gettid()] {
            waitUntil([&] {
                int unread = 0;
                return ::ioctl(reader.get(), FIONREAD, &unread) == 0 && unread > 0 &&
                       isAsleep(writer);
            });
            stop.request_stop();
        });
        QVERIFY(!writeOutput(pipe, std::string(1 << 20, 'x'), stop.get_token()));
    }

    void anOpenDescriptorIsWrittenAtItsPosition() {
        const auto file = path("appended");
        const FileDescriptor out(::open(file.c_str(), O_WRONLY | O_CREAT, 0600));
        QVERIFY(writeAll(out.get(), std::as_bytes(std::span("begin ", 6))) == 0);
        const std::filesystem::path name = "/proc/self/fd/" + std::to_string(out.get());
        QVERIFY(writeOutput(name, "middle "));
        std::filesystem::create_symlink(name, path("named"));
        QVERIFY(writeOutput(path("named"), "end"));
        QCOMPARE(contentOf(file), std::string("begin middle end"));
        QVERIFY(std::filesystem::is_symlink(path("named")));
    }

    void aSocketIsRefused() {
        const auto file = path("socket");
        const FileDescriptor server(::socket(AF_UNIX, SOCK_STREAM, 0));
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        QVERIFY(file.native().size() < sizeof address.sun_path);
        std::strcpy(address.sun_path, file.c_str());
        QCOMPARE(::bind(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address),
                 0);
        try {
            writeOutput(file, "content");
            QFAIL("written");
        } catch (const Error& e) {
            QCOMPARE(e.kind(), Error::Kind::BadInput);
        }
        QVERIFY(std::filesystem::is_socket(file));
    }

private:
    std::filesystem::path path(const char* name) const {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

    QTemporaryDir m_folder;
};

ORRERY_TEST(OutputFileTest)
#include "output_file_test.moc"
