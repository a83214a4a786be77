#include "core/history/workspace.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "core/base/atomic_write.h"
#include "core/base/fault.h"
#include "core/base/file_descriptor.h"
#include "core/base/text.h"
#include "core/history/database.h"
#include "core/history/quick_check.h"
#include "core/history/schema.h"
#include "core/history/writer_connection.h"

namespace orrery {

namespace {

namespace fs = std::filesystem;

/// NFS, SMB, CIFS, SMB2, FUSE, 9p: shared memory between machines does not work there.
bool isNetworkFileSystem(const fs::path& folder) {
    constexpr std::array<std::uint32_t, 6> kMagic{0x6969,     0x517B,     0xFF534D42,
                                                  0xFE534D42, 0x65735546, 0x01021997};
    struct statfs info {};
    if (::statfs(folder.c_str(), &info) != 0) return false;
    return std::ranges::find(kMagic, static_cast<std::uint32_t>(info.f_type)) != kMagic.end();
}

/// Write-ahead log where shared memory works, else the slower rollback journal.
/// @return what to tell about it, empty for the log
std::string chooseJournal(Database& database, const fs::path& folder) {
    const bool network = isNetworkFileSystem(folder);
    const std::string got =
        database.text(network ? "PRAGMA journal_mode=DELETE" : "PRAGMA journal_mode=WAL");
    if (got == "wal") return {};
    return "'" + escaped(folder.native()) +
           "' is on a file system without shared memory: the database uses the journal mode '" +
           got + "', which is slower, and readers may have to wait.";
}

/// Builds the database under another name, so that it exists whole or not at all.
void createDatabase(const fs::path& file) {
    const fs::path part = file.native() + ".new";
    std::error_code error;
    for (const char* const suffix : {"", "-journal", "-wal", "-shm"})
        fs::remove(part.native() + suffix, error);
    {
        Database database(part, Database::Access::Create);
        migrate(database, part, migrations());
        chooseJournal(database, file.parent_path());
    }
    faultPoint("workspace.created");
    const FileDescriptor made = openFile(part, O_RDWR);
    if (!made) throwFileError("create", file, errno);
    if (const int failed = syncFile(made.get()); failed != 0)
        throwFileError("create", file, failed);
    fs::rename(part, file, error);
    if (error) throwFileError("create", file, error.value());
    if (const int failed = syncFolder(file.parent_path()); failed != 0)
        throwFileError("create", file, failed);
}

/// Runs that are live although nobody else can write: their process died. Only the process that
/// made a run works on it, so one that is still queued will not be begun either.
std::vector<std::string> markInterrupted(Database& database) {
    std::vector<std::string> ids;
    const std::string live = "state IN (" + liveStatesSql() + ")";
    Statement select = database.prepare("SELECT id FROM run WHERE " + live + " ORDER BY ordinal");
    while (select.step()) ids.push_back(select.text(0));
    if (ids.empty()) return ids;
    Statement update = database.prepare(
        "UPDATE run SET state=?, ended_utc=COALESCE(heartbeat_utc, created_utc) WHERE " + live);
    update.bind(1, nameOf(RunState::Interrupted)).run();
    return ids;
}

bool isEmptyFolder(const fs::path& folder) {
    std::error_code error;
    return fs::is_empty(folder, error) && !error;
}

/// Makes the folder and its parents, durably. @throws Error
void makeFolder(const fs::path& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error)) return;
    const fs::path parent = folder.parent_path();
    if (!parent.empty() && !fs::is_directory(parent, error)) makeFolder(parent);
    const int refused = faultErrno("folder.make");
    if (refused > 0) throwWriteError("make the folder", folder, refused);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        throwWriteError("make the folder", folder, errno);
    if (const int failed = syncFolder(parent); failed != 0) {
        ::rmdir(folder.c_str());  // so that another try syncs again
        throwWriteError("make the folder", folder, failed);
    }
}

}  // namespace

fs::path Workspace::defaultFolder() {
    // NOLINTBEGIN(concurrency-mt-unsafe): nothing of ours changes the environment
    const char* const data = std::getenv("XDG_DATA_HOME");
    const char* const home = std::getenv("HOME");
    // NOLINTEND(concurrency-mt-unsafe)
    fs::path base =
        home != nullptr ? fs::path(home) / ".local" / "share" : fs::temp_directory_path();
    if (data != nullptr && fs::path(data).is_absolute()) base = data;  // others are to be ignored
    return base / "orrery" / "default.orrery";
}

std::unique_ptr<Workspace> Workspace::open(const fs::path& folder, Mode mode,
                                           DbWriter::Options options) {
    std::error_code error;
    fs::path clean = fs::absolute(folder, error).lexically_normal();
    if (!clean.has_filename()) clean = clean.parent_path();  // a trailing slash
    std::unique_ptr<Workspace> workspace(new Workspace(clean));
    const bool exists = fs::is_directory(clean, error);
    if (!exists && fs::exists(clean, error))
        throw Error("'" + escaped(clean.native()) + "' is not a folder. Give a workspace's folder.",
                    Error::Kind::BadInput);
    const bool known = fs::exists(workspace->databaseFile(), error) ||
                       fs::exists(clean / "lock", error);  // a creation that was cut off
    if (mode != Mode::Create && !exists)
        throw Error("There is no workspace '" + escaped(clean.native()) +
                        "'. Check the path, or let `orrery solve` make one.",
                    Error::Kind::Resource);
    if (exists && !known && !(mode == Mode::Create && isEmptyFolder(clean)))
        throw Error(
            "'" + escaped(clean.native()) +
                "' is not a workspace: it has no workspace.db. Choose an empty or new folder.",
            Error::Kind::BadInput);
    if (mode == Mode::Create) makeFolder(clean);
    if (mode != Mode::ReadOnly) workspace->prepareWriting(std::move(options));
    if (!workspace->writable()) {
        if (!fs::exists(workspace->databaseFile(), error))
            throw Error(workspace->m_readOnlyReason.empty()
                            ? "The workspace '" + escaped(clean.native()) +
                                  "' has no database yet: its creation was cut off. Open it for "
                                  "writing once."
                            : workspace->m_readOnlyReason,
                        Error::Kind::Resource);
        workspace->reader();  // throws if not even this works
    }
    return workspace;
}

void Workspace::prepareWriting(DbWriter::Options options) {
    try {
        LockHolder holder;
        m_lock = WorkspaceLock::tryAcquire(m_folder, holder);
        if (!m_lock) {
            giveUpWriting("The workspace '" + escaped(m_folder.native()) + "' is in use by " +
                              holder.text() + ". Close it there, or choose another one.",
                          Error::Kind::Resource);
            return;
        }
        openDatabase();
        if (m_readOnlyReason.empty())
            m_writer = std::make_unique<DbWriter>(databaseFile(), std::move(options));
    } catch (const Error& e) {
        giveUpWriting(e.what(), e.kind());
    }
    if (!m_writer) m_lock.reset();
}

void Workspace::openDatabase() {
    std::error_code error;
    sweepStaleTemps(m_folder);
    if (!fs::exists(databaseFile(), error)) createDatabase(databaseFile());
    Database database(databaseFile(), Database::Access::Write);
    if (database.integer("PRAGMA application_id") != kApplicationId)
        throw Error("'" + escaped(databaseFile().native()) +
                        "' is not the database of a workspace. Choose a folder that Orrery made.",
                    Error::Kind::BadInput);
    const std::int64_t version = database.integer("PRAGMA user_version").value_or(0);
    if (version > kSchemaVersion) {
        giveUpWriting("The workspace '" + escaped(m_folder.native()) + "' has version " +
                          std::to_string(version) + "; this program writes version " +
                          std::to_string(kSchemaVersion) +
                          ". It can be looked at; install a newer Orrery to write to it.",
                      Error::Kind::Damaged);
        return;
    }
    const std::string damage =
        version < 1 ? "its version is " + std::to_string(version) : quickCheck(database);
    if (!damage.empty()) {
        giveUpWriting("The database of the workspace '" + escaped(m_folder.native()) +
                          "' is damaged: " + damage +
                          ". It is not written any more. Keep a copy of the folder and run `orrery "
                          "verify` on it.",
                      Error::Kind::Damaged);
        return;
    }
    const std::string migrated = migrate(database, databaseFile(), migrations());
    if (!migrated.empty()) m_notices.push_back(migrated);
    const std::string journal = chooseJournal(database, m_folder);
    if (!journal.empty()) m_notices.push_back(journal);
    m_interrupted = markInterrupted(database);
    for (const std::string& id : m_interrupted) sweepStaleTemps(runFolder(id));
}

void Workspace::giveUpWriting(const std::string& reason, Error::Kind kind) {
    m_readOnlyReason = reason;
    m_readOnlyKind = kind;
    m_interrupted.clear();
}

fs::path Workspace::runFolder(const std::string& runId) const {
    return m_folder / "runs" / runId;
}

fs::path Workspace::makeRunFolder(const std::string& runId) const {
    makeFolder(runFolder(runId));
    return runFolder(runId);
}

DbWriter& Workspace::writer() {
    if (m_writer) return *m_writer;
    throw Error(m_readOnlyReason.empty() ? "The workspace '" + escaped(m_folder.native()) +
                                               "' was opened for reading only. Open it for writing."
                                         : m_readOnlyReason,
                m_readOnlyKind);
}

}  // namespace orrery
