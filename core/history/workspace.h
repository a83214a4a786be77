#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/history/db_writer.h"
#include "core/history/history_reader.h"
#include "core/history/workspace_lock.h"

namespace orrery {

/// The folder `NAME.orrery/` that holds a history: `workspace.db`, `runs/<id>/` and `lock`.
///
/// One process at a time writes to it; the lock is held as long as the object lives. Whoever comes
/// second, or has no right to write, or meets a newer version, reads. Use it from one thread; the
/// writer it hands out may be called from any.
class Workspace {
public:
    enum class Mode {
        ReadOnly,
        ReadWrite,  ///< as ReadOnly, with the reason in readOnlyReason(), where writing is refused
        Create,     ///< ReadWrite; makes the folder if there is none, or an empty one
    };

    /// @throws Error: Resource if the folder is missing or not readable, BadInput if it is
    /// something
    ///         else than a workspace, Damaged if not even reading is possible
    static std::unique_ptr<Workspace> open(const std::filesystem::path& folder, Mode mode,
                                           DbWriter::Options options = {});

    /// `$XDG_DATA_HOME/orrery/default.orrery`, by default below `~/.local/share`.
    static std::filesystem::path defaultFolder();

    const std::filesystem::path& folder() const { return m_folder; }
    std::filesystem::path databaseFile() const { return m_folder / "workspace.db"; }
    std::filesystem::path runFolder(const std::string& runId) const;
    /// runFolder, made if it does not exist. Fault point: folder.make.
    /// @throws Error (Resource; DiskFullError where that is why)
    std::filesystem::path makeRunFolder(const std::string& runId) const;

    bool writable() const { return m_writer != nullptr; }
    /// Why a workspace asked for with ReadWrite or Create is only read; empty if it is written.
    const std::string& readOnlyReason() const { return m_readOnlyReason; }
    /// What its user should know about the opening: a migration, a slow file system, ...
    const std::vector<std::string>& notices() const { return m_notices; }
    /// Runs that their process left alive, begun or not, and that this opening marked as
    /// interrupted.
    const std::vector<std::string>& interruptedRuns() const { return m_interrupted; }

    /// @throws Error (Resource, or Damaged for damaged and newer data) with readOnlyReason() if the
    ///         workspace is only read
    DbWriter& writer();

    /// A reader with a connection of its own. @throws Error (Damaged, Resource)
    HistoryReader reader() const { return HistoryReader(databaseFile()); }

private:
    explicit Workspace(std::filesystem::path folder) : m_folder(std::move(folder)) {}
    void prepareWriting(DbWriter::Options options);
    void openDatabase();
    void giveUpWriting(const std::string& reason, Error::Kind kind);

    std::filesystem::path m_folder;
    std::string m_readOnlyReason;
    Error::Kind m_readOnlyKind = Error::Kind::Resource;
    std::vector<std::string> m_notices;
    std::vector<std::string> m_interrupted;
    std::unique_ptr<WorkspaceLock> m_lock;
    std::unique_ptr<DbWriter> m_writer;  // after the lock: it must end first
};

}  // namespace orrery
