#include "core/base/file_descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <system_error>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/base/text.h"

namespace orrery {

namespace {

const char* adviceFor(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
            return "Free some space on this disk and try again.";
        case EROFS:
        case EACCES:
        case EPERM:
            return "Choose a folder that you may write to, or change its permissions.";
        case ENOENT:
        case ENOTDIR:
            return "Check the path.";
        case EMFILE:
        case ENFILE:
            return "Raise the limit of open files (ulimit -n).";
        case ENAMETOOLONG:
            return "Choose a shorter name.";
        case EIO:
            return "The disk reports a fault: check it, and keep a copy of your data elsewhere.";
        case ELOOP:
            return "Symbolic links are not followed here: give the real path.";
        default:
            return "Check the disk and the permissions of the folder.";
    }
}

}  // namespace

FileDescriptor::~FileDescriptor() {
    if (m_fd >= 0) ::close(m_fd);
}

void throwFileError(std::string_view action, const std::filesystem::path& path, int error) {
    const char* const name = strerrorname_np(error);
    throw Error("Cannot " + std::string(action) + " '" + escaped(path.native()) +
                    "': " + std::generic_category().message(error) + " (" +
                    (name != nullptr ? std::string(name) : std::to_string(error)) + "). " +
                    adviceFor(error),
                Error::Kind::Resource);
}

FileDescriptor openFile(const std::filesystem::path& path, int flags, mode_t mode) {
    while (true) {
        const int injected = faultErrno("file.open");
        const int fd = injected > 0 ? -1 : ::open(path.c_str(), flags | O_CLOEXEC, mode);
        if (injected > 0) errno = injected;
        if (fd >= 0 || errno != EINTR) return FileDescriptor(fd);
    }
}

FileDescriptor openBeneath(const std::filesystem::path& folder,
                           const std::filesystem::path& relative) {
    FileDescriptor current = openFile(folder, O_RDONLY | O_DIRECTORY);
    if (relative.empty() || relative.is_absolute()) errno = EINVAL;
    if (!current || relative.empty() || relative.is_absolute()) return {};
    for (auto part = relative.begin(); part != relative.end(); ++part) {
        if (part->empty() || *part == "." || *part == "..") {
            errno = EINVAL;
            return {};
        }
        const bool last = std::next(part) == relative.end();
        // O_NONBLOCK: a FIFO must not make us wait.
        const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (last ? O_NONBLOCK : O_DIRECTORY);
        FileDescriptor next(::openat(current.get(), part->c_str(), flags));
        if (!next) return {};
        current = std::move(next);
    }
    return current;
}

int writeAll(int fd, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const int injected = faultErrno("file.write");
        const std::size_t wanted =
            injected == kFaultShort ? std::max<std::size_t>(bytes.size() / 2, 1) : bytes.size();
        const ssize_t written = injected > 0 ? -1 : ::write(fd, bytes.data(), wanted);
        const int error = injected > 0 ? injected : errno;
        if (written < 0 && error != EINTR) return error;
        if (written == 0) return EIO;
        if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return 0;
}

ssize_t readUpTo(int fd, std::span<std::byte> bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const int injected = faultErrno("file.read");
        const std::size_t left = bytes.size() - done;
        const std::size_t wanted =
            injected == kFaultShort ? std::max<std::size_t>(left / 2, 1) : left;
        const ssize_t got = injected > 0 ? -1 : ::read(fd, bytes.data() + done, wanted);
        if (injected > 0) errno = injected;
        if (got < 0 && errno != EINTR) return -1;
        if (got == 0) break;
        if (got > 0) done += static_cast<std::size_t>(got);
    }
    return static_cast<ssize_t>(done);
}

int syncFile(int fd) {
    while (true) {
        const int injected = faultErrno("file.fsync");
        if (injected <= 0 && ::fsync(fd) == 0) return 0;
        const int error = injected > 0 ? injected : errno;
        if (error != EINTR) return error;
    }
}

int syncFolder(const std::filesystem::path& folder) {
    const FileDescriptor opened =
        openFile(folder.empty() ? std::filesystem::path(".") : folder, O_RDONLY | O_DIRECTORY);
    if (!opened) return errno;
    while (true) {
        const int injected = faultErrno("file.fsync_folder");
        if (injected <= 0 && ::fsync(opened.get()) == 0) return 0;
        const int error = injected > 0 ? injected : errno;
        if (error == EINVAL || error == ENOTSUP) return 0;
        if (error != EINTR) return error;
    }
}

std::string readFile(const std::filesystem::path& path, std::uint64_t maxBytes) {
    // O_NONBLOCK: opening a FIFO by mistake must not wait for a writer.
    const FileDescriptor file = openFile(path, O_RDONLY | O_NONBLOCK);
    if (!file) throwFileError("open", path, errno);
    struct stat info {};
    if (::fstat(file.get(), &info) != 0) throwFileError("read", path, errno);
    if (!S_ISREG(info.st_mode))
        throw Error("'" + escaped(path.native()) + "' is not a regular file. Give a file's path.",
                    Error::Kind::BadInput);
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (size > maxBytes)
        throw Error("'" + escaped(path.native()) + "' has " + std::to_string(size) +
                        " bytes; at most " + std::to_string(maxBytes) + " are read.",
                    Error::Kind::BadInput);
    std::string content(size, '\0');
    const ssize_t got = readUpTo(file.get(), std::as_writable_bytes(std::span(content)));
    if (got < 0) throwFileError("read", path, errno);
    content.resize(static_cast<std::size_t>(got));
    return content;
}

std::int64_t folderBytes(const std::filesystem::path& folder) {
    std::int64_t bytes = 0;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator entry(folder, error), end;
         !error && entry != end; entry.increment(error)) {
        if (!entry->is_regular_file(error) || entry->is_symlink(error)) continue;
        const auto size = entry->file_size(error);
        if (!error) bytes += static_cast<std::int64_t>(size);
    }
    return bytes;
}

}  // namespace orrery
