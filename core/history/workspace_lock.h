#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/base/file_descriptor.h"

namespace orrery {

/// Who holds a workspace's lock. For messages only: the lock itself is the kernel's.
struct LockHolder {
    std::int64_t pid = 0;  ///< 0: not known
    std::string host;
    std::string bootId;
    std::string sinceUtc;

    /// "process 4711 on host 'nova' since 2026-03-01T12:34:56.789Z".
    std::string text() const;

    /// False if the process is known to be dead. A hint for views, no proof.
    bool isAlive() const;
};

/// The right to write into a workspace: an flock on its file `lock`, held for life. The kernel
/// frees it on any death of the process, so no lock is ever stale; children do not inherit it.
class WorkspaceLock {
public:
    /// @param holder receives who has the lock, if it is taken
    /// @return null if another process (or another object of this one) has it
    /// @throws Error (Resource) if the file cannot be opened for writing
    static std::unique_ptr<WorkspaceLock> tryAcquire(const std::filesystem::path& folder,
                                                     LockHolder& holder);

    /// Who wrote last into the lock file; nothing if it cannot be read.
    static std::optional<LockHolder> readHolder(const std::filesystem::path& folder);

private:
    explicit WorkspaceLock(FileDescriptor file) : m_file(std::move(file)) {}

    FileDescriptor m_file;
};

}  // namespace orrery
