#include "app/cli/workspace_option.h"

#include <cerrno>
#include <system_error>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/text.h"

namespace orrery {
namespace {

void printNotices(const Workspace& workspace, Console& console) {
    for (const std::string& notice : workspace.notices())
        console.message("note: " + escaped(notice));
    for (const std::string& run : workspace.interruptedRuns())
        console.message("note: run " + escaped(run) + " was interrupted: its process died");
}

/// Says so where a folder may not be looked into, instead of taking it for no workspace.
void requireAccess(const std::filesystem::path& folder) {
    std::error_code error;
    const bool isThere = std::filesystem::exists(folder / "lock", error);
    if (!isThere && error == std::errc::permission_denied)
        throwFileError("read the workspace", folder, EACCES);
}

}  // namespace

void addWorkspaceOption(Verb& verb, std::string& folder) {
    verb.option("--workspace", &folder,
                "Folder of the history, NAME.orrery; without it, the default one");
}

std::filesystem::path workspaceFolder(const std::string& folder) {
    return folder.empty() ? Workspace::defaultFolder() : std::filesystem::path(folder);
}

std::unique_ptr<Workspace> openForReading(const std::string& folder, Console& console) {
    const std::filesystem::path path = workspaceFolder(folder);
    requireAccess(path);
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        throw Error("There is no workspace " + path.string() +
                        ". `orrery solve WORLD` makes one; --workspace names another.",
                    Error::Kind::Resource);
    auto workspace = Workspace::open(path, Workspace::Mode::ReadOnly);
    printNotices(*workspace, console);
    return workspace;
}

std::unique_ptr<Workspace> openForWriting(const std::string& folder, Console& console,
                                          DbWriter::Options options) {
    const std::filesystem::path path = workspaceFolder(folder);
    requireAccess(path);
    auto workspace = Workspace::open(path, Workspace::Mode::Create, std::move(options));
    printNotices(*workspace, console);
    workspace->writer();  // throws with the reason where it is only read
    return workspace;
}

}  // namespace orrery
