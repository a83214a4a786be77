#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace orrery {

/// No space is left on a disk, or in its user's share (ENOSPC, EDQUOT): nothing is broken, and
/// trying again later makes sense. Kind Resource.
class DiskFullError : public Error {
public:
    explicit DiskFullError(const std::string& text) : Error(text, Kind::Resource) {}
};

/// throwFileError, but a DiskFullError for ENOSPC and EDQUOT.
[[noreturn]] void throwWriteError(std::string_view action, const std::filesystem::path& path,
                                  int error);

/// Where the writer of atomicWrite puts its bytes. Buffered; used by one thread.
class FileWriter {
public:
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;
    virtual ~FileWriter() = default;

    /// @throws Error (Resource) naming file and reason, for example a full disk
    virtual void write(std::span<const std::byte> bytes) = 0;
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

    /// Bytes written so far.
    std::uint64_t offset() const { return m_offset; }

protected:
    FileWriter() = default;
    std::uint64_t m_offset = 0;
};

/// Gives `path` new content, all or nothing: after a crash or a power cut at any instant the old
/// or the new content is there, and after the return it is the new one.
///
/// The bytes go to a temporary file `.NAME.PID.N.tmp` in the same folder, which is synced, renamed
/// and its folder synced. A symbolic link at `path` is replaced, not followed.
///
/// @param writer called once; what it throws is passed on, and `path` keeps its old content
/// @param mode   permissions before the umask; 0600 for what belongs to a workspace, 0666 for
///               exports that a person asked for
/// @throws Error (Resource; DiskFullError where that is why) naming path and reason; the temporary
///         file is removed. If only the last step failed, syncing the folder, the new content is
///         in place but a power cut may still bring the old one back
///
/// May be called from any thread. Fault points: file.open, file.write, file.fsync, file.close,
/// file.rename, file.after_rename, file.fsync_folder.
void atomicWrite(const std::filesystem::path& path, const std::function<void(FileWriter&)>& writer,
                 mode_t mode = 0600);
void atomicWrite(const std::filesystem::path& path, std::string_view content, mode_t mode = 0600);

/// atomicWrite with a writer that may give up: if it returns false, `path` keeps its old content.
/// @return what the writer returned
bool tryAtomicWrite(const std::filesystem::path& path,
                    const std::function<bool(FileWriter&)>& writer, mode_t mode = 0600);

/// Removes temporary files that dead processes left in `folder` (not below it).
/// @return how many were removed; a folder that cannot be read counts as empty
std::size_t sweepStaleTemps(const std::filesystem::path& folder);

}  // namespace orrery
