#include "core/history/run_edit.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/history/compaction.h"
#include "core/history/database.h"
#include "core/history/writer_connection.h"

namespace orrery {

namespace {

[[noreturn]] void throwUnknown(const std::string& run) {
    throw Error("There is no run '" + escaped(run) + "'. `orrery ls` lists the runs.",
                Error::Kind::BadInput);
}

void setText(Database& database, const char* sql, const std::string& run, const std::string& text) {
    database.prepare(sql).bind(1, text).bind(2, run).run();
}

void setTags(Database& database, const std::string& run, const std::vector<std::string>& tags) {
    database.prepare("DELETE FROM tag WHERE run = ?").bind(1, run).run();
    Statement insert = database.prepare("INSERT OR IGNORE INTO tag(run, tag) VALUES (?, ?)");
    for (const std::string& tag : tags)
        if (!tag.empty()) insert.bind(1, run).bind(2, tag).run();
}

void setTrashed(Database& database, const std::string& run, bool isTrashed) {
    if (!isTrashed) {
        database.prepare("UPDATE run SET trashed_utc = NULL WHERE id = ?").bind(1, run).run();
        return;
    }
    Statement update = database.prepare(
        "UPDATE run SET trashed_utc = ?1 WHERE id = ?2 AND state "
        "NOT IN (" +
        liveStatesSql() + ")");
    update.bind(1, utcNow()).bind(2, run).run();
    if (database.changes() == 0)
        throw Error(
            "Run " + escaped(run) + " has not ended. Stop it before you put it into the trash.",
            Error::Kind::BadInput);
}

}  // namespace

void applyEdits(Database& database, std::span<const RunEdit> edits) {
    for (const RunEdit& edit : edits) {
        Statement known = database.prepare("SELECT 1 FROM run WHERE id = ?");
        if (!known.bind(1, edit.run).step()) throwUnknown(edit.run);
        if (edit.name)
            setText(database, "UPDATE run SET name = ? WHERE id = ?", edit.run, *edit.name);
        if (edit.note)
            setText(database, "UPDATE run SET note = ? WHERE id = ?", edit.run, *edit.note);
        if (edit.tags) setTags(database, edit.run, *edit.tags);
        if (edit.isTrashed) setTrashed(database, edit.run, *edit.isTrashed);
    }
}

void deleteRunRows(Database& database, std::span<const std::string> runIds) {
    for (const std::string& run : runIds) {
        Statement trashed = database.prepare(
            "SELECT 1 FROM run WHERE id = ? AND trashed_utc IS NOT NULL AND state NOT IN (" +
            liveStatesSql() + ")");
        if (!trashed.bind(1, run).step())
            throw Error("Run " + escaped(run) +
                            " is not in the trash, so it is not deleted. Put it there first.",
                        Error::Kind::BadInput);
        database.prepare("UPDATE run SET parent = NULL WHERE parent = ?").bind(1, run).run();
        database.prepare("DELETE FROM run WHERE id = ?").bind(1, run).run();
    }
}

void supersedePoints(Database& database, const std::string& runId, std::int64_t step) {
    expandBehind(database, runId, step);
    Statement newest = database.prepare(
        "SELECT max(CAST(substr(key, 12) AS INTEGER)) FROM curve WHERE run=? AND "
        "key GLOB 'superseded.*'");
    std::int64_t number = 1;
    if (newest.bind(1, runId).step()) number += newest.integer(0);
    newest.reset();
    const std::string fresh = "'superseded.' || ?1 || '/' || old.key";
    const std::string behind =
        "old.run=?2 AND old.key NOT GLOB 'superseded.*' AND "
        "EXISTS (SELECT 1 FROM point WHERE point.curve = old.id AND point.step > ?3)";
    Statement insert = database.prepare("INSERT INTO curve(run, key) SELECT old.run, " + fresh +
                                        " FROM curve AS old WHERE " + behind);
    insert.bind(1, number).bind(2, runId).bind(3, step).run();
    Statement update = database.prepare(
        "UPDATE point SET curve = (SELECT new.id FROM curve AS old JOIN curve AS new "
        "ON new.run = old.run AND new.key = " +
        fresh +
        " WHERE old.id = point.curve) WHERE step > ?3 AND curve IN "
        "(SELECT old.id FROM curve AS old WHERE " +
        behind + ")");
    update.bind(1, number).bind(2, runId).bind(3, step).run();
}

}  // namespace orrery
