#include "core/history/trash.h"

#include <cstdio>
#include <optional>
#include <system_error>

#include "core/base/file_descriptor.h"
#include "core/base/text.h"

namespace orrery {

namespace {

namespace fs = std::filesystem;
using std::chrono::sys_seconds;

/// What belongs to a run outside of its folder.
fs::path plotOf(const Workspace& workspace, const std::string& runId) {
    return workspace.folder() / "plots" / (runId + "_levels.png");
}

/// "2026-03-01T12:34:56..." as a time; nothing for any other text.
std::optional<sys_seconds> timeOf(const std::string& utc) {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    // NOLINTNEXTLINE(cert-err34-c): the count tells
    if (std::sscanf(utc.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d", &year, &month, &day, &hour, &minute,
                    &second) != 6)
        return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok()) return std::nullopt;
    return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
           std::chrono::seconds(second);
}

}  // namespace

std::int64_t runBytes(const Workspace& workspace, const std::string& runId) {
    const std::int64_t bytes = folderBytes(workspace.runFolder(runId));
    std::error_code error;
    const auto plot = fs::file_size(plotOf(workspace, runId), error);
    return error ? bytes : bytes + static_cast<std::int64_t>(plot);
}

std::int64_t deleteRuns(Workspace& workspace, std::span<const std::string> runIds) {
    workspace.writer().deleteRows(runIds);
    std::int64_t bytes = 0;
    std::string trouble;
    for (const std::string& id : runIds) {
        const std::int64_t own = runBytes(workspace, id);
        std::error_code error, plotError;
        fs::remove_all(workspace.runFolder(id), error);
        fs::remove(plotOf(workspace, id), plotError);
        if (error)
            trouble = "'" + escaped(workspace.runFolder(id).native()) + "' cannot be removed (" +
                      error.message() + "). Remove it by hand.";
        else
            bytes += own;
    }
    if (!trouble.empty())
        throw Error("The runs are deleted, but " + trouble, Error::Kind::Resource);
    return bytes;
}

std::vector<std::string> expiredTrash(const std::vector<RunRecord>& runs, sys_seconds now) {
    std::vector<std::string> ids;
    for (const RunRecord& run : runs) {
        if (run.trashedUtc.empty()) continue;
        const auto since = timeOf(run.trashedUtc);
        if (since && now - *since > kTrashTime) ids.push_back(run.id);
    }
    return ids;
}

}  // namespace orrery
