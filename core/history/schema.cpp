#include "core/history/schema.h"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "core/base/fault.h"
#include "core/base/file_descriptor.h"
#include "core/base/text.h"
#include "schema_sql.h"

namespace orrery {

namespace {

namespace fs = std::filesystem;

void makeVersion1(Database& database) {
    database.execute(kSchema001);
    Statement insert = database.prepare("INSERT INTO meta(key, value) VALUES (?, ?)");
    insert.bind(1, "created_utc").bind(2, utcNow()).run();
    insert.bind(1, "last_batch").bind(2, std::int64_t{0}).run();
}

void makeVersion2(Database& database) {
    database.execute(kSchema002);
}

/// Copies the database to `backup-vN.db`, durably.
fs::path backUp(Database& database, const fs::path& file, std::int64_t version) {
    fs::path backup = file.parent_path() / ("backup-v" + std::to_string(version) + ".db");
    const fs::path part = backup.native() + ".part";
    std::error_code ignored;
    fs::remove(part, ignored);
    faultPoint("migrate.backup");
    database.prepare("VACUUM INTO ?").bind(1, part.native()).run();
    const FileDescriptor copy = openFile(part, O_RDWR);
    if (!copy) throwFileError("back up to", part, errno);
    if (const int error = syncFile(copy.get()); error != 0)
        throwFileError("back up to", part, error);
    std::error_code error;
    fs::rename(part, backup, error);
    if (error) throwFileError("back up to", backup, error.value());
    if (const int failed = syncFolder(file.parent_path()); failed != 0)
        throwFileError("back up to", backup, failed);
    return backup;
}

}  // namespace

std::span<const Migration> migrations() {
    static constexpr std::array<Migration, kSchemaVersion> kAll{makeVersion1, makeVersion2};
    return kAll;
}

std::string migrate(Database& database, const fs::path& file, std::span<const Migration> steps) {
    const std::int64_t version = database.integer("PRAGMA user_version").value_or(0);
    const auto wanted = static_cast<std::int64_t>(steps.size());
    if (version < 0)
        throw DatabaseError(SQLITE_CORRUPT, file.native(),
                            "its version is " + std::to_string(version));
    if (version >= wanted) return {};
    const fs::path backup = version > 0 ? backUp(database, file, version) : fs::path();
    try {
        database.execute("BEGIN EXCLUSIVE");
        for (const Migration step : steps.subspan(static_cast<std::size_t>(version))) {
            faultPoint("migrate.step");
            step(database);
        }
        database.execute(("PRAGMA user_version=" + std::to_string(wanted)).c_str());
        database.execute(("PRAGMA application_id=" + std::to_string(kApplicationId)).c_str());
        faultPoint("migrate.commit");
        database.execute("COMMIT");
    } catch (...) {
        database.rollback();
        throw;
    }
    if (version == 0) return {};
    return "The workspace was brought from version " + std::to_string(version) + " to " +
           std::to_string(wanted) + "; the old one is kept as '" + escaped(backup.native()) + "'.";
}

}  // namespace orrery
