#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace orrery {

/// Owns a POSIX file descriptor and closes it.
class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int fd) : m_fd(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    ~FileDescriptor();

    int get() const { return m_fd; }
    explicit operator bool() const { return m_fd >= 0; }

    /// Gives the descriptor away.
    int release() { return std::exchange(m_fd, -1); }

private:
    int m_fd = -1;
};

/// Throws Error (Resource): "Cannot <action> '<path>': <reason> (<errno name>). <advice>".
[[noreturn]] void throwFileError(std::string_view action, const std::filesystem::path& path,
                                 int error);

/// open(2) with O_CLOEXEC, repeated on EINTR. Fault point: "file.open".
/// @return an empty descriptor with errno set if it fails
FileDescriptor openFile(const std::filesystem::path& path, int flags, mode_t mode = 0600);

/// Opens a file below `folder` for reading, whatever others do to the tree meanwhile: `relative`
/// must be a plain relative path (no "..", no absolute one), and no component may be a symbolic
/// link.
/// @return an empty descriptor with errno set; EINVAL for a path of another form
FileDescriptor openBeneath(const std::filesystem::path& folder,
                           const std::filesystem::path& relative);

/// Writes all of `bytes` at the file's position, whatever interrupts or shortens the calls.
/// Fault point: "file.write". @return 0 or an errno value
int writeAll(int fd, std::span<const std::byte> bytes);

/// Reads until `bytes` is full or the file ends. Fault point: "file.read".
/// @return bytes read, or -1 with errno set
ssize_t readUpTo(int fd, std::span<std::byte> bytes);

/// fsync(2), repeated on EINTR only: after a failure nothing written before counts as saved.
/// Fault point: "file.fsync". @return 0 or an errno value
int syncFile(int fd);

/// Makes the entries of a folder durable; file systems without this (EINVAL) count as done.
/// Fault point: "file.fsync_folder". @return 0 or an errno value
int syncFolder(const std::filesystem::path& folder);

/// The whole content of a regular file.
/// @throws Error if it is missing, unreadable, no regular file, or larger than `maxBytes`
std::string readFile(const std::filesystem::path& path, std::uint64_t maxBytes);

/// Bytes of all regular files in and below a folder; links do not count, nor does what vanishes
/// meanwhile or cannot be looked at.
std::int64_t folderBytes(const std::filesystem::path& folder);

}  // namespace orrery
