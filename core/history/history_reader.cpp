#include "core/history/history_reader.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/base/text.h"
#include "core/history/chunk_rows.h"
#include "core/history/database.h"
#include "core/history/former_events.h"
#include "core/history/schema.h"

namespace orrery {

namespace {

constexpr char kTagSeparator = '\x1f';

/// Files of version 1 know neither trash nor tags.
std::string runColumns(int version) {
    const std::string people = version < 2
                                   ? "NULL, NULL"
                                   : "trashed_utc, (SELECT group_concat(tag, char(31)) FROM tag "
                                     "WHERE tag.run = run.id)";
    const std::string kind = version < 3 ? kKindOfConfig : "kind";
    return "SELECT id, ordinal, name, parent, state, config_json, world_hash, code_version, seed, "
           "created_utc, ended_utc, heartbeat_seq, heartbeat_utc, note, " +
           people + ", " + kind + " FROM run ";
}

std::vector<std::string> tagsOf(const std::string& joined) {
    std::vector<std::string> tags;
    for (std::size_t begin = 0; begin < joined.size();) {
        const std::size_t end = std::min(joined.find(kTagSeparator, begin), joined.size());
        tags.push_back(joined.substr(begin, end - begin));
        begin = end + 1;
    }
    std::ranges::sort(tags);
    return tags;
}

RunRecord runIn(const Statement& row) {
    return {.id = row.text(0),
            .ordinal = row.integer(1),
            .name = row.text(2),
            .parent = row.text(3),
            .state = runStateOf(row.text(4)),
            .kind = row.text(16),
            .configJson = row.text(5),
            .worldHash = row.text(6),
            .codeVersion = row.text(7),
            .seed = static_cast<std::uint64_t>(row.integer(8)),
            .createdUtc = row.text(9),
            .endedUtc = row.text(10),
            .heartbeatSeq = row.integer(11),
            .heartbeatUtc = row.text(12),
            .note = row.text(13),
            .tags = tagsOf(row.text(15)),
            .trashedUtc = row.text(14)};
}

MessageLevel levelOf(const std::string& name) {
    for (const MessageLevel level :
         {MessageLevel::Debug, MessageLevel::Info, MessageLevel::Warning})
        if (nameOf(level) == name) return level;
    return MessageLevel::Error;
}

void addFacts(const Statement& row, EventRow& event) {
    if (!row.isNull(5)) event.step = row.integer(5);
    event.data = row.text(6);
}

/// Files before version 3 have texts alone.
void addFormerFacts(EventRow& event) {
    FormerEvent former = formerEvent(event.code, event.text);
    event.step = former.step;
    event.data = std::move(former.data);
}

/// The condition of a filter, with numbered parameters 1 text pattern, 2 world, 3 parent.
std::string conditionOf(const RunFilter& filter, int version) {
    std::string sql = "WHERE 1";
    if (!filter.withTrash && version >= 2) sql += " AND trashed_utc IS NULL";
    if (!filter.states.empty()) {
        std::string list;
        for (const RunState state : filter.states)
            list += (list.empty() ? "'" : ",'") + std::string(nameOf(state)) + "'";
        sql += " AND state IN (" + list + ")";
    }
    // instr has no wildcards that would need quoting.
    if (!filter.text.empty())
        sql +=
            " AND (instr(lower(id), lower(?1)) OR instr(lower(name), lower(?1)) OR "
            "instr(lower(note), lower(?1)))";
    if (!filter.worldHash.empty()) sql += " AND world_hash = ?2";
    if (!filter.parent.empty()) sql += " AND parent = ?3";
    return sql + " ORDER BY ordinal " + (filter.newestFirst ? "DESC" : "ASC") +
           " LIMIT ?4 OFFSET ?5";
}

/// Until its end all that is read is of one moment.
class ReadTransaction {
public:
    explicit ReadTransaction(Database& database) : m_database(database) {
        m_database.execute("BEGIN");
    }
    ~ReadTransaction() { m_database.rollback(); }
    ReadTransaction(const ReadTransaction&) = delete;
    ReadTransaction& operator=(const ReadTransaction&) = delete;

private:
    Database& m_database;
};

bool hasPendingLog(const std::filesystem::path& file) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file.native() + "-wal", error);
    return !error && size > 0;
}

/// A connection that can really read. In a folder without write access SQLite cannot make the files
/// that a write-ahead log needs; if the log is empty, nobody can change what is read either.
Database openForReading(const std::filesystem::path& file) {
    try {
        Database database(file, Database::Access::Read);
        database.integer("SELECT count(*) FROM sqlite_schema");
        return database;
    } catch (const DatabaseError& e) {
        const bool refused = e.fault() == DbFault::Io || e.fault() == DbFault::ReadOnly;
        std::error_code error;
        if (!refused || hasPendingLog(file) || !std::filesystem::is_regular_file(file, error))
            throw;
    }
    Database database(file, Database::Access::Immutable);
    database.integer("SELECT count(*) FROM sqlite_schema");
    return database;
}

}  // namespace

struct HistoryReader::Impl {
    Database database;
};

HistoryReader::HistoryReader(const std::filesystem::path& databaseFile)
    : m_impl(std::make_unique<Impl>(Impl{openForReading(databaseFile)})) {
    if (m_impl->database.integer("PRAGMA application_id") != kApplicationId)
        throw Error("'" + escaped(databaseFile.native()) +
                        "' is an SQLite database, but not one of a workspace. Choose a folder that "
                        "Orrery made.",
                    Error::Kind::BadInput);
}

HistoryReader::~HistoryReader() = default;
HistoryReader::HistoryReader(HistoryReader&& other) noexcept = default;
HistoryReader& HistoryReader::operator=(HistoryReader&& other) noexcept = default;

int HistoryReader::schemaVersion() const {
    return static_cast<int>(m_impl->database.integer("PRAGMA user_version").value_or(0));
}

std::vector<RunRecord> HistoryReader::listRuns(const RunFilter& filter) const {
    Statement select = m_impl->database.prepare(runColumns(schemaVersion()) +
                                                conditionOf(filter, schemaVersion()));
    if (!filter.text.empty()) select.bind(1, filter.text);
    if (!filter.worldHash.empty()) select.bind(2, filter.worldHash);
    if (!filter.parent.empty()) select.bind(3, filter.parent);
    select.bind(4, filter.limit).bind(5, filter.offset);
    std::vector<RunRecord> runs;
    while (select.step()) runs.push_back(runIn(select));
    return runs;
}

std::optional<RunRecord> HistoryReader::run(const std::string& runId) const {
    Statement select = m_impl->database.prepare(runColumns(schemaVersion()) + "WHERE id = ?");
    select.bind(1, runId);
    if (!select.step()) return std::nullopt;
    return runIn(select);
}

RunRecord HistoryReader::findRun(const std::string& text) const {
    Statement select =
        m_impl->database.prepare(runColumns(schemaVersion()) +
                                 "WHERE id = ?1 OR ordinal = ?2 OR name = ?1 ORDER BY ordinal");
    select.bind(1, text).bind(2, parseInt(text).value_or(-1));
    std::vector<RunRecord> found;
    while (select.step()) {
        found.push_back(runIn(select));
        if (found.back().id == text) return found.back();
    }
    if (found.size() == 1) return found.front();
    if (found.size() > 1) {
        std::string ids;
        for (const RunRecord& run : found) ids += (ids.empty() ? "" : ", ") + run.id;
        throw Error("'" + escaped(text) + "' may be any of " + escaped(ids) + ": give the id.",
                    Error::Kind::BadInput);
    }
    std::vector<std::string> names;
    for (const RunRecord& run : listRuns()) {
        names.push_back(run.id);
        names.push_back(run.name);
    }
    const auto near = closestName(text, names);
    throw Error("There is no run '" + escaped(text) + "'." +
                    (near ? " Did you mean '" + escaped(*near) + "'?" : std::string()) +
                    " `orrery ls` lists the runs.",
                Error::Kind::BadInput);
}

std::vector<std::string> HistoryReader::metricKeys(const std::string& runId) const {
    // Jumps from key to key in the index instead of reading every row.
    constexpr const char* kBefore3 =
        "WITH RECURSIVE keys(key) AS (SELECT min(key) FROM metric WHERE run = ?1 UNION ALL "
        "SELECT (SELECT min(key) FROM metric WHERE run = ?1 AND key > keys.key) FROM keys "
        "WHERE keys.key IS NOT NULL) SELECT key FROM keys WHERE key IS NOT NULL";
    constexpr const char* kNow =
        "SELECT key FROM curve WHERE run = ?1 AND (EXISTS (SELECT 1 FROM point WHERE point.curve = "
        "curve.id) OR EXISTS (SELECT 1 FROM chunk WHERE chunk.curve = curve.id)) ORDER BY key";
    Statement select = m_impl->database.prepare(schemaVersion() < 3 ? kBefore3 : kNow);
    select.bind(1, runId);
    std::vector<std::string> keys;
    while (select.step()) keys.push_back(select.text(0));
    return keys;
}

std::vector<MetricRow> HistoryReader::metrics(const std::string& runId, const std::string& key,
                                              std::int64_t afterSeq) const {
    // As of one moment: a writer may be moving points from rows into chunks.
    const ReadTransaction moment(m_impl->database);
    std::vector<MetricRow> rows;
    const bool isFormer = schemaVersion() < 3;
    const std::string ofCurve = "curve = (SELECT id FROM curve WHERE run = ? AND key = ?)";
    if (!isFormer) {
        Statement chunks =
            m_impl->database.prepare("SELECT " + std::string(kChunkColumns) + " FROM chunk WHERE " +
                                     ofCurve + " AND last_seq > ? ORDER BY seq");
        chunks.bind(1, runId).bind(2, key).bind(3, afterSeq);
        while (chunks.step()) unpack(chunkIn(chunks), afterSeq, rows);
    }
    Statement select = m_impl->database.prepare(
        "SELECT seq, step, value, flag FROM " +
        (isFormer ? "metric WHERE run = ? AND key = ?" : "point WHERE " + ofCurve) +
        " AND seq > ? ORDER BY seq");
    select.bind(1, runId).bind(2, key).bind(3, afterSeq);
    while (select.step()) rows.push_back(pointIn(select));
    return rows;
}

std::vector<EventRow> HistoryReader::events(const std::string& runId, std::int64_t afterSeq) const {
    const bool isFormer = schemaVersion() < 3;
    Statement select = m_impl->database.prepare(
        std::string("SELECT seq, utc, level, code, text") + (isFormer ? "" : ", step, data") +
        " FROM event WHERE run = ? AND seq > ? ORDER BY seq");
    select.bind(1, runId).bind(2, afterSeq);
    std::vector<EventRow> rows;
    while (select.step()) {
        EventRow event{.seq = select.integer(0),
                       .utc = select.text(1),
                       .level = levelOf(select.text(2)),
                       .code = select.text(3),
                       .text = select.text(4)};
        if (isFormer)
            addFormerFacts(event);
        else
            addFacts(select, event);
        rows.push_back(std::move(event));
    }
    return rows;
}

std::vector<ArtefactRow> HistoryReader::artefacts(const std::string& runId) const {
    Statement select = m_impl->database.prepare(
        "SELECT kind, file, sha256, bytes FROM artefact WHERE run = ? ORDER BY file");
    select.bind(1, runId);
    std::vector<ArtefactRow> rows;
    while (select.step())
        rows.push_back({.kind = select.text(0),
                        .file = select.text(1),
                        .sha256 = select.text(2),
                        .bytes = static_cast<std::uint64_t>(select.integer(3))});
    return rows;
}

std::vector<CheckpointRow> HistoryReader::checkpoints(const std::string& runId) const {
    Statement select = m_impl->database.prepare(
        "SELECT gen, step, file, sha256, bytes, state FROM checkpoint WHERE run = ? "
        "ORDER BY gen DESC");
    select.bind(1, runId);
    std::vector<CheckpointRow> rows;
    while (select.step())
        rows.push_back({.generation = select.integer(0),
                        .step = select.integer(1),
                        .file = select.text(2),
                        .sha256 = select.text(3),
                        .bytes = static_cast<std::uint64_t>(select.integer(4)),
                        .state = select.text(5)});
    return rows;
}

std::int64_t HistoryReader::metricRowCount() const {
    return m_impl->database
        .integer(schemaVersion() < 3 ? "SELECT count(*) FROM metric"
                                     : "SELECT (SELECT count(*) FROM point) + (SELECT "
                                       "ifnull(sum(count), 0) FROM chunk)")
        .value_or(0);
}

}  // namespace orrery
