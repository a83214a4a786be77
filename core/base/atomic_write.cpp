#include "core/base/atomic_write.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <vector>

#include "core/base/fault.h"
#include "core/base/file_descriptor.h"
#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::size_t kBufferBytes = 1U << 16U;
constexpr std::size_t kNameBytesKept = 180;  // of the 255 that a file name may have

class TempFile final : public FileWriter {
public:
    TempFile(const std::filesystem::path& target, mode_t mode) : m_target(target) {
        static std::atomic<std::uint64_t> counter{0};
        const std::string stem = target.filename().native().substr(0, kNameBytesKept);
        do {
            m_path = target.parent_path() / ("." + stem + "." + std::to_string(::getpid()) + "." +
                                             std::to_string(counter.fetch_add(1)) + ".tmp");
            m_file = openFile(m_path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
        } while (!m_file && errno == EEXIST);
        if (!m_file) throwWriteError("write", m_target, errno);
        // Tells sweepStaleTemps that the file is in use; without locks the pid in the name does.
        ::flock(m_file.get(), LOCK_EX | LOCK_NB);
        m_buffer.reserve(kBufferBytes);
    }

    ~TempFile() override {
        if (!m_path.empty()) ::unlink(m_path.c_str());
    }

    using FileWriter::write;
    void write(std::span<const std::byte> bytes) override {
        m_offset += bytes.size();
        if (m_buffer.size() + bytes.size() > kBufferBytes) flush();
        if (bytes.size() >= kBufferBytes) {
            check(writeAll(m_file.get(), bytes));
        } else {
            m_buffer.insert(m_buffer.end(), bytes.begin(), bytes.end());
        }
    }

    void commit() {
        flush();
        check(syncFile(m_file.get()));
        close();
        rename();
        const int injected = faultErrno("file.after_rename");
        if (injected > 0 && injected != EINTR) check(injected);
        check(syncFolder(m_target.parent_path()));
    }

private:
    void check(int error) const {
        if (error != 0) throwWriteError("write", m_target, error);
    }

    void flush() {
        check(writeAll(m_file.get(), m_buffer));
        m_buffer.clear();
    }

    void close() {
        const int injected = faultErrno("file.close");
        const int status = ::close(m_file.release());
        // After EINTR Linux has closed the file all the same.
        if (injected > 0 && injected != EINTR) check(injected);
        if (status != 0 && errno != EINTR) check(errno);
    }

    void rename() {
        while (true) {
            const int injected = faultErrno("file.rename");
            const int status = injected > 0 ? -1 : std::rename(m_path.c_str(), m_target.c_str());
            if (status == 0) break;
            const int error = injected > 0 ? injected : errno;
            if (error != EINTR) check(error);
        }
        m_path.clear();
    }

    const std::filesystem::path m_target;
    std::filesystem::path m_path;  // empty once renamed
    FileDescriptor m_file;
    std::vector<std::byte> m_buffer;
};

/// The process in a name made by TempFile; 0 if the name is another one's.
pid_t pidInTempName(const std::string& name) {
    const std::string_view view(name);
    if (!view.starts_with('.') || !view.ends_with(".tmp")) return 0;
    const std::string_view stem = view.substr(0, view.size() - 4);
    const std::size_t counterDot = stem.rfind('.');
    if (counterDot == std::string_view::npos || counterDot == 0) return 0;
    const std::size_t pidDot = stem.rfind('.', counterDot - 1);
    if (pidDot == std::string_view::npos || pidDot == 0) return 0;
    if (!parseInt(stem.substr(counterDot + 1))) return 0;
    const auto pid = parseInt(stem.substr(pidDot + 1, counterDot - pidDot - 1));
    return pid && *pid > 0 && *pid <= INT32_MAX ? static_cast<pid_t>(*pid) : 0;
}

bool isStale(const std::filesystem::path& path, pid_t pid) {
    if (pid == ::getpid() || ::kill(pid, 0) == 0 || errno != ESRCH) return false;
    // A process of another container or machine is not seen by its pid, but by its lock.
    const FileDescriptor file = openFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    return file && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

void throwWriteError(std::string_view action, const std::filesystem::path& path, int error) {
    try {
        throwFileError(action, path, error);
    } catch (const Error& e) {
        if (error == ENOSPC || error == EDQUOT) throw DiskFullError(e.what());
        throw;
    }
}

void atomicWrite(const std::filesystem::path& path, const std::function<void(FileWriter&)>& writer,
                 mode_t mode) {
    tryAtomicWrite(
        path,
        [&writer](FileWriter& file) {
            writer(file);
            return true;
        },
        mode);
}

bool tryAtomicWrite(const std::filesystem::path& path,
                    const std::function<bool(FileWriter&)>& writer, mode_t mode) {
    TempFile temp(path, mode);
    if (!writer(temp)) return false;
    temp.commit();
    return true;
}

void atomicWrite(const std::filesystem::path& path, std::string_view content, mode_t mode) {
    atomicWrite(
        path, [content](FileWriter& file) { file.write(content); }, mode);
}

std::size_t sweepStaleTemps(const std::filesystem::path& folder) {
    std::size_t removed = 0;
    std::error_code error;
    std::vector<std::filesystem::path> stale;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
        const pid_t pid = pidInTempName(it->path().filename().native());
        if (pid != 0 && it->is_regular_file(error) && isStale(it->path(), pid))
            stale.push_back(it->path());
    }
    for (const auto& path : stale)
        if (::unlink(path.c_str()) == 0) ++removed;
    return removed;
}

}  // namespace orrery
