#include "core/history/verify.h"

#include <sys/stat.h>

#include <cerrno>
#include <exception>
#include <functional>
#include <system_error>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/history/database.h"
#include "core/history/history_reader.h"
#include "core/history/schema.h"

namespace orrery {

namespace {

namespace fs = std::filesystem;

constexpr const char* kDatabase = "workspace.db";
constexpr int kMostProblems = 20;  // of one kind

class Verifier {
public:
    explicit Verifier(const fs::path& folder) : m_folder(folder) {}

    VerifyReport run() {
        guarded(kDatabase, [this] { checkContents(); });
        guarded(kDatabase, [this] { checkPages(); });
        return m_report;
    }

private:
    void add(const std::string& where, const std::string& text) {
        m_report.findings.push_back({where, text});
    }

    /// Turns what the check throws into a finding.
    void guarded(const std::string& where, const std::function<void()>& check) {
        try {
            check();
        } catch (const Error& e) {
            add(where, e.what());
        }
    }

    /// Every page and index; works on a connection of its own because damage may end it early.
    void checkPages() {
        Database database(m_folder / kDatabase, Database::Access::Read);
        Statement check =
            database.prepare("PRAGMA integrity_check(" + std::to_string(kMostProblems) + ")");
        while (check.step())
            if (const std::string text = check.text(0); text != "ok")
                add(kDatabase, "Integrity check: " + escaped(text) +
                                   ". Keep a copy of the folder and go on in a new workspace.");
        Statement references = database.prepare("PRAGMA foreign_key_check");
        for (int i = 0; i < kMostProblems && references.step(); ++i)
            add(kDatabase, "The table '" + escaped(references.text(0)) +
                               "' has a row of a run that does not exist in '" +
                               escaped(references.text(2)) + "'.");
    }

    void checkContents() {
        const HistoryReader reader(m_folder / kDatabase);
        m_report.schemaVersion = reader.schemaVersion();
        if (m_report.schemaVersion > kSchemaVersion) {
            add(kDatabase, "It has version " + std::to_string(m_report.schemaVersion) +
                               "; this program knows up to " + std::to_string(kSchemaVersion) +
                               ". Verify it with a newer Orrery.");
            return;
        }
        for (const RunRecord& run : reader.listRuns({.withTrash = true, .newestFirst = false})) {
            ++m_report.runs;
            guarded("run " + escaped(run.id), [&] { checkRun(reader, run); });
        }
        Database database(m_folder / kDatabase, Database::Access::Read);
        m_report.metricRows = reader.metricRowCount();
        m_report.eventRows = database.integer("SELECT count(*) FROM event").value_or(0);
        checkSpecs(database);
    }

    void checkRun(const HistoryReader& reader, const RunRecord& run) {
        const std::string where = "run " + escaped(run.id);
        if (!run.state) add(where, "Its state is none that this version knows.");
        if (run.state && !isLive(*run.state) && run.state != RunState::Interrupted &&
            run.endedUtc.empty())
            add(where, "It has ended, but has no time of its end.");
        for (const ArtefactRow& artefact : reader.artefacts(run.id))
            checkFile(artefact.file, artefact.bytes, artefact.sha256);
        for (const CheckpointRow& checkpoint : reader.checkpoints(run.id))
            checkFile(checkpoint.file, checkpoint.bytes, checkpoint.sha256);
    }

    /// A run that is not finished can be resumed only from its spec.
    void checkSpecs(Database& database) {
        Statement select = database.prepare(
            "SELECT id FROM run WHERE NOT json_valid(config_json) ORDER BY ordinal");
        while (select.step())
            add("run " + escaped(select.text(0)),
                "Its stored spec is no JSON: it can be neither resumed nor repeated.");
    }

    void checkFile(const std::string& relative, std::uint64_t bytes, const std::string& sha256) {
        const std::string where = escaped(relative);
        const FileDescriptor file = openBeneath(m_folder, relative);
        if (!file) {
            add(where, errno == EINVAL || errno == ELOOP
                           ? "The path leads out of the workspace or through a symbolic link; it "
                             "was not opened."
                           : "It is listed but cannot be opened (" +
                                 std::generic_category().message(errno) +
                                 "). Bring the file back, or repeat the run.");
            return;
        }
        ++m_report.filesChecked;
        struct stat info {};
        if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
            add(where, "It is not a regular file; it was not read.");
            return;
        }
        if (static_cast<std::uint64_t>(info.st_size) != bytes) {
            add(where, "It has " + std::to_string(info.st_size) + " bytes instead of " +
                           std::to_string(bytes) + ". Bring the file back, or repeat the run.");
            return;
        }
        guarded(where, [&] {
            if (sha256HexOfFile(file.get(), relative) != sha256)
                add(where,
                    "Its content was changed: the SHA-256 differs from the one stored. "
                    "Bring the file back, or repeat the run.");
        });
    }

    const fs::path m_folder;
    VerifyReport m_report;
};

}  // namespace

VerifyReport verifyWorkspace(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error))
        throw Error("There is no workspace '" + escaped(folder.native()) + "'. Check the path.",
                    Error::Kind::Resource);
    // A creation that was cut off: there is nothing yet that could be lost.
    const bool begun = fs::exists(folder / "lock", error) || fs::is_empty(folder, error);
    if (!fs::exists(folder / kDatabase, error) && begun) return {};
    return Verifier(folder).run();
}

}  // namespace orrery
