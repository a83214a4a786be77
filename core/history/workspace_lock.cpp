#include "core/history/workspace_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

std::filesystem::path lockFile(const std::filesystem::path& folder) {
    return folder / "lock";
}

std::string thisBootId() {
    std::ifstream in("/proc/sys/kernel/random/boot_id");
    std::string id;
    return in >> id ? id : "-";
}

std::string hostName() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "-";
    return name.data();
}

/// flock repeated on EINTR. @return 0 or an errno value
int lockNow(int fd) {
    while (::flock(fd, LOCK_EX | LOCK_NB) != 0)
        if (errno != EINTR) return errno;
    return 0;
}

}  // namespace

std::string LockHolder::text() const {
    if (pid == 0) return "another process";
    return "process " + std::to_string(pid) + " on host '" + escaped(host, 80) + "' since " +
           escaped(sinceUtc, 40);
}

bool LockHolder::isAlive() const {
    if (pid <= 0 || bootId != thisBootId()) return false;
    if (host != hostName()) return true;  // a container of its own: its processes are not seen here
    return ::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM;
}

std::unique_ptr<WorkspaceLock> WorkspaceLock::tryAcquire(const std::filesystem::path& folder,
                                                         LockHolder& holder) {
    const std::filesystem::path path = lockFile(folder);
    FileDescriptor file = openFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
    if (!file) throwFileError("open", path, errno);
    if (const int error = lockNow(file.get()); error == EWOULDBLOCK) {
        // The winner writes its name just after it has locked.
        for (int i = 0; i < 20; ++i) {
            holder = readHolder(folder).value_or(LockHolder{});
            if (holder.isAlive()) break;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return nullptr;
    } else if (error != 0) {
        throwFileError("lock", path, error);
    }
    const std::string text = std::to_string(::getpid()) + "\n" + hostName() + "\n" + thisBootId() +
                             "\n" + utcNow() + "\n";
    // The name serves messages only: a full disk does not take the lock away.
    if (::ftruncate(file.get(), 0) == 0) writeAll(file.get(), std::as_bytes(std::span(text)));
    return std::unique_ptr<WorkspaceLock>(new WorkspaceLock(std::move(file)));
}

std::optional<LockHolder> WorkspaceLock::readHolder(const std::filesystem::path& folder) {
    try {
        std::istringstream lines(readFile(lockFile(folder), 4096));
        LockHolder holder;
        std::string pid;
        std::getline(lines, pid);
        std::getline(lines, holder.host);
        std::getline(lines, holder.bootId);
        std::getline(lines, holder.sinceUtc);
        const auto number = parseInt(pid);
        if (!number || holder.sinceUtc.empty()) return std::nullopt;
        holder.pid = *number;
        return holder;
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace orrery
