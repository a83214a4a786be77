#include "core/base/output_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include "core/base/file_descriptor.h"
#include "core/base/text.h"

namespace orrery {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kMode = 0666;
constexpr std::size_t kPiece = 4096;  // a pipe that has room takes as much at once
constexpr int kPauseMilliseconds = 20;

/// Hands bytes on as they come. After a stop it takes no more, so that a reader that has gone to
/// sleep holds nobody up.
class StreamWriter final : public FileWriter {
public:
    StreamWriter(fs::path path, FileDescriptor file, std::stop_token stop)
        : m_path(std::move(path)), m_file(std::move(file)), m_stop(std::move(stop)) {}

    using FileWriter::write;
    void write(std::span<const std::byte> bytes) override {
        m_offset += bytes.size();
        while (!bytes.empty() && waitForRoom()) {
            const auto piece = bytes.first(std::min(kPiece, bytes.size()));
            if (const int error = writeAll(m_file.get(), piece); error != 0)
                throwFileError("write", m_path, error);
            bytes = bytes.subspan(piece.size());
        }
    }

private:
    /// False after a stop.
    bool waitForRoom() const {
        while (!m_stop.stop_requested()) {
            pollfd room{.fd = m_file.get(), .events = POLLOUT, .revents = 0};
            if (::poll(&room, 1, kPauseMilliseconds) > 0) return true;
        }
        return false;
    }

    const fs::path m_path;
    const FileDescriptor m_file;
    const std::stop_token m_stop;
};

/// The number in a path that stands for an open descriptor of this process, such as /dev/stdout.
std::optional<int> descriptorIn(fs::path path) {
    if (path == "-") return STDOUT_FILENO;
    for (int hop = 0; hop < 10; ++hop) {
        std::error_code error;
        const fs::path folder =
            fs::canonical(path.parent_path().empty() ? "." : path.parent_path(), error);
        if (error) return std::nullopt;
        if (folder == "/proc/" + std::to_string(::getpid()) + "/fd") {
            const auto number = parseInt(path.filename().native());
            return number && *number >= 0 ? std::optional(static_cast<int>(*number)) : std::nullopt;
        }
        const fs::path target = fs::read_symlink(path, error);
        if (error) return std::nullopt;
        path = folder / target;
    }
    return std::nullopt;
}

/// Opens a pipe or a terminal; empty if stopped while no one reads the pipe.
FileDescriptor openStream(const fs::path& path, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        FileDescriptor file = openFile(path, O_WRONLY | O_NONBLOCK | O_NOCTTY);
        if (file) {
            const int flags = ::fcntl(file.get(), F_GETFL);
            if (flags < 0 || ::fcntl(file.get(), F_SETFL, flags & ~O_NONBLOCK) != 0)
                throwFileError("open", path, errno);
            return file;
        }
        if (errno != ENXIO) throwFileError("open", path, errno);
        std::this_thread::sleep_for(std::chrono::milliseconds(kPauseMilliseconds));
    }
    return {};
}

}  // namespace

bool holdsSomething(const fs::path& path) {
    if (descriptorIn(path)) return false;
    std::error_code error;
    switch (fs::status(path, error).type()) {
        case fs::file_type::directory:
            return !fs::is_empty(path, error) || error;  // what cannot be looked into, may
        case fs::file_type::fifo:
        case fs::file_type::character:
            return false;
        case fs::file_type::not_found:
            return fs::is_symlink(path, error);  // to nowhere; writing would replace the link
        default:
            return !path.empty();
    }
}

bool writeOutput(const fs::path& path, const std::function<bool(FileWriter&)>& writer,
                 const std::stop_token& stop) {
    FileDescriptor stream;
    if (const auto number = descriptorIn(path)) {
        stream = FileDescriptor(::fcntl(*number, F_DUPFD_CLOEXEC, 0));
        if (!stream) throwFileError("write", path, errno);
    } else {
        struct stat info {};
        const bool isThere = ::stat(path.c_str(), &info) == 0;
        if (isThere && (S_ISBLK(info.st_mode) || S_ISSOCK(info.st_mode)))
            throw Error("'" + escaped(path.native()) +
                            "' is a disk or a socket, nothing is written to it. Name a file.",
                        Error::Kind::BadInput);
        if (!isThere || !(S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode))) {
            return tryAtomicWrite(path, writer, kMode);
        }
        stream = openStream(path, stop);
        if (!stream) return false;
    }
    StreamWriter out(path, std::move(stream), stop);
    return writer(out) && !stop.stop_requested();
}

bool writeOutput(const fs::path& path, std::string_view content, const std::stop_token& stop) {
    return writeOutput(
        path,
        [content](FileWriter& out) {
            out.write(content);
            return true;
        },
        stop);
}

}  // namespace orrery
