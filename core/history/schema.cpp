#include "core/history/schema.h"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "core/base/fault.h"
#include "core/base/file_descriptor.h"
#include "core/base/text.h"
#include "core/history/former_events.h"
#include "schema_sql.h"

namespace orrery {

namespace {

namespace fs = std::filesystem;

void makeVersion1(Database& database, std::vector<std::string>&) {
    database.execute(kSchema001);
    Statement insert = database.prepare("INSERT INTO meta(key, value) VALUES (?, ?)");
    insert.bind(1, "created_utc").bind(2, utcNow()).run();
    insert.bind(1, "last_batch").bind(2, std::int64_t{0}).run();
}

void makeVersion2(Database& database, std::vector<std::string>&) {
    database.execute(kSchema002);
}

/// Until then what happened stood in texts alone, and imported curves as a solve of a world that
/// does not exist.
void makeVersion3(Database& database, std::vector<std::string>& notes) {
    database.execute(kSchema003);
    database.execute((std::string("UPDATE run SET kind = ") + kKindOfConfig).c_str());
    database.execute(
        "UPDATE run SET config_json = json_set(json_remove(config_json, '$.solve'), '$.import', "
        "json('{}')) WHERE kind = 'import'");
    Statement select = database.prepare("SELECT run, seq, code, text FROM event");
    Statement update =
        database.prepare("UPDATE event SET step = ?1, data = ?2 WHERE run = ?3 AND seq = ?4");
    while (select.step()) {
        const FormerEvent event = formerEvent(select.text(2), select.text(3));
        if (event.isUnread)
            notes.push_back("The event " + std::to_string(select.integer(1)) + " of run " +
                            escaped(select.text(0)) + " stays a text: '" +
                            escaped(select.text(3), 120) + "'.");
        if (!event.step && event.data.empty()) continue;
        update.bindNull(1).bindNull(2);
        if (event.step) update.bind(1, *event.step);
        if (!event.data.empty()) update.bind(2, event.data);
        update.bind(3, select.text(0)).bind(4, select.integer(1)).run();
    }
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

const char* const kKindOfConfig =
    "CASE WHEN NOT json_valid(config_json) THEN '' "
    "WHEN json_type(config_json, '$.train') IS NOT NULL THEN 'train' "
    "WHEN json_extract(config_json, '$.solve.world') = 'imported' THEN 'import' "
    "WHEN json_type(config_json, '$.solve') IS NOT NULL THEN 'solve' ELSE '' END";

std::span<const Migration> migrations() {
    static constexpr std::array<Migration, kSchemaVersion> kAll{makeVersion1, makeVersion2,
                                                                makeVersion3};
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
    std::vector<std::string> notes;
    try {
        database.execute("BEGIN EXCLUSIVE");
        for (const Migration step : steps.subspan(static_cast<std::size_t>(version))) {
            faultPoint("migrate.step");
            step(database, notes);
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
    std::string text = "The workspace was brought from version " + std::to_string(version) +
                       " to " + std::to_string(wanted) + "; the old one is kept as '" +
                       escaped(backup.native()) + "'.";
    for (const std::string& note : notes) text += ' ' + note;
    return text;
}

}  // namespace orrery
