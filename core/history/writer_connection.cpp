#include "core/history/writer_connection.h"

#include <exception>
#include <utility>

#include "core/base/fault.h"
#include "core/base/text.h"
#include "core/history/chunk_rows.h"
#include "core/history/compaction.h"
#include "core/history/schema.h"

namespace orrery {

namespace {

/// Lets an injected fault look like SQLite's own.
void databaseFault(std::string_view name) {
    const int error = faultErrno(name);
    if (error <= 0) return;
    const bool full = error == ENOSPC || error == EDQUOT;
    const int code = full ? SQLITE_FULL : error == EROFS ? SQLITE_READONLY : SQLITE_IOERR;
    throw DatabaseError(code, std::string(name), "a fault was asked for", error);
}

void checkKind(Database& database, const std::filesystem::path& file) {
    if (database.integer("PRAGMA application_id") != kApplicationId ||
        database.integer("PRAGMA user_version") != kSchemaVersion)
        throw DatabaseError(SQLITE_NOTADB, file.native(),
                            "it is no workspace of version " + std::to_string(kSchemaVersion));
}

/// What was not written may be taken back.
void makeWaiting(const std::vector<WriterItem>& batch) {
    for (const WriterItem& item : batch)
        if (const auto* const request = std::get_if<RequestItem>(&item))
            become(*request->state, RequestState::Written, RequestState::Waiting);
}

}  // namespace

std::string liveStatesSql() {
    std::string list;
    for (const RunState state :
         {RunState::Queued, RunState::Running, RunState::Paused, RunState::Blocked})
        list += (list.empty() ? "'" : ",'") + std::string(nameOf(state)) + "'";
    return list;
}

std::string stateUpdateSql() {
    return "UPDATE run SET state=?1, ended_utc=?2 WHERE id=?3 AND ";
}

WriterConnection::WriterConnection(const std::filesystem::path& file)
    : m_database(file, Database::Access::Write),
      m_insertPoint(m_database.prepare(kInsertPoint)),
      m_insertCurve(m_database.prepare("INSERT OR IGNORE INTO curve(run, key) VALUES (?, ?)")),
      m_selectCurve(m_database.prepare("SELECT id FROM curve WHERE run = ? AND key = ?")),
      m_insertEvent(
          m_database.prepare("INSERT INTO event(run, seq, utc, level, code, text, step, data) "
                             "VALUES (?, ?, ?, ?, ?, ?, ?, ?)")),
      m_insertArtefact(
          m_database.prepare("INSERT OR REPLACE INTO artefact(run, kind, file, sha256, "
                             "bytes) VALUES (?, ?, ?, ?, ?)")),
      m_insertCheckpoint(
          m_database.prepare("INSERT OR REPLACE INTO checkpoint(run, gen, step, file, sha256, "
                             "bytes, state) VALUES (?, ?, ?, ?, ?, ?, ?)")),
      m_setState(m_database.prepare(stateUpdateSql() + "state IN (" + liveStatesSql() + ")")),
      m_selectLastSeq(m_database.prepare("SELECT last_seq FROM run WHERE id=?")),
      m_saveHeartbeat(
          m_database.prepare("UPDATE run SET last_seq=?, heartbeat_seq=heartbeat_seq+1, "
                             "heartbeat_utc=? WHERE id=?")),
      m_saveBatch(m_database.prepare("UPDATE meta SET value=value+1 WHERE key='last_batch'")) {
    databaseFault("db.open");
    checkKind(m_database, file);
    m_database.execute("PRAGMA journal_size_limit=67108864");
    sqlite3_wal_hook(
        m_database.handle(),
        [](void* pages, sqlite3*, const char*, int count) {
            *static_cast<int*>(pages) = count;
            return SQLITE_OK;
        },
        m_walPages.get());
}

std::int64_t WriterConnection::lastBatch() {
    return m_database.integer("SELECT value FROM meta WHERE key='last_batch'").value_or(0);
}

BatchResult WriterConnection::write(const std::vector<WriterItem>& batch) {
    BatchResult result;
    m_lastSeq.clear();
    bool isCommitting = false;
    try {
        databaseFault("db.begin");
        m_database.execute("BEGIN IMMEDIATE");
        for (std::size_t i = 0; i < batch.size(); ++i) apply(batch[i], i, result);
        saveHeartbeats();
        m_saveBatch.run();
        databaseFault("db.commit");
        isCommitting = true;
        m_database.execute("COMMIT");
        databaseFault("db.after_commit");
    } catch (const std::exception& e) {
        m_database.rollback();
        m_curves.clear();
        const auto* const failure = dynamic_cast<const DatabaseError*>(&e);
        const bool isUnknown =
            isCommitting && (failure == nullptr || failure->fault() == DbFault::Io);
        if (!isUnknown) makeWaiting(batch);  // else a new connection finds out
        throw;
    }
    return result;
}

void WriterConnection::apply(const WriterItem& item, std::size_t index, BatchResult& result) {
    databaseFault("db.row");
    try {
        if (const auto* const metric = std::get_if<MetricItem>(&item))
            insert(*metric, result);
        else if (const auto* const event = std::get_if<EventItem>(&item))
            insert(*event, result);
        else if (const auto* const artefact = std::get_if<ArtefactItem>(&item))
            insert(*artefact);
        else if (const auto* const checkpoint = std::get_if<CheckpointItem>(&item))
            insert(*checkpoint);
        else
            request(std::get<RequestItem>(item), index, result);
    } catch (const DatabaseError& e) {
        // Such a statement undoes itself alone, so the other rows stand.
        if (e.fault() != DbFault::Constraint) throw;
        result.rejected.emplace_back(e.what());
    }
}

std::int64_t WriterConnection::nextSeq(const std::string& run) {
    auto place = m_lastSeq.find(run);
    if (place == m_lastSeq.end()) {
        m_selectLastSeq.reset();
        m_selectLastSeq.bind(1, run);
        if (!m_selectLastSeq.step())
            throw DatabaseError(SQLITE_CONSTRAINT_FOREIGNKEY, "workspace.db",
                                "there is no run '" + run + "'");
        place = m_lastSeq.emplace(run, m_selectLastSeq.integer(0)).first;
        m_selectLastSeq.reset();
    }
    return ++place->second;
}

std::int64_t WriterConnection::curveOf(const std::string& run, const std::string& key) {
    const auto [place, isNew] = m_curves.try_emplace({run, key}, 0);
    if (!isNew) return place->second;
    try {
        m_insertCurve.bind(1, run).bind(2, key).run();
        m_selectCurve.bind(1, run).bind(2, key);
        if (!m_selectCurve.step())
            throw DatabaseError(SQLITE_CONSTRAINT, "workspace.db",
                                "the curve '" + key + "' cannot be kept");
        place->second = m_selectCurve.integer(0);
        m_selectCurve.reset();
    } catch (...) {
        m_curves.erase(place);
        throw;
    }
    return place->second;
}

void WriterConnection::insert(const MetricItem& item, BatchResult& result) {
    const std::int64_t seq = nextSeq(item.run);
    const MetricRow point{.seq = seq, .step = item.metric.step, .value = item.metric.value};
    bindPoint(m_insertPoint, curveOf(item.run, item.metric.key), point).run();
    ++result.metricRows;
}

void WriterConnection::insert(const EventItem& item, BatchResult& result) {
    const std::int64_t seq = nextSeq(item.run);
    m_insertEvent.bind(1, item.run).bind(2, seq).bind(3, utcNow());
    m_insertEvent.bind(4, nameOf(item.message.level)).bind(5, item.message.code);
    m_insertEvent.bind(6, item.message.text);
    m_insertEvent.bindNull(7).bindNull(8);
    if (item.message.step) m_insertEvent.bind(7, *item.message.step);
    if (!item.message.data.empty()) m_insertEvent.bind(8, item.message.data);
    m_insertEvent.run();
    ++result.eventRows;
    if (!item.newState) return;
    m_setState.bind(1, nameOf(*item.newState)).bind(3, item.run);
    if (isLive(*item.newState))
        m_setState.bindNull(2);
    else
        m_setState.bind(2, utcNow());
    m_setState.run();
}

void WriterConnection::insert(const ArtefactItem& item) {
    m_insertArtefact.bind(1, item.run).bind(2, item.row.kind).bind(3, item.row.file);
    m_insertArtefact.bind(4, item.row.sha256).bind(5, static_cast<std::int64_t>(item.row.bytes));
    m_insertArtefact.run();
}

void WriterConnection::insert(const CheckpointItem& item) {
    const CheckpointRow& row = item.row;
    m_insertCheckpoint.bind(1, item.run).bind(2, row.generation).bind(3, row.step);
    m_insertCheckpoint.bind(4, row.file).bind(5, row.sha256);
    m_insertCheckpoint.bind(6, static_cast<std::int64_t>(row.bytes)).bind(7, row.state).run();
}

void WriterConnection::request(const RequestItem& item, std::size_t index, BatchResult& result) {
    if (!item.action || !become(*item.state, RequestState::Waiting, RequestState::Written)) return;
    m_curves.clear();
    m_database.execute("SAVEPOINT request");
    try {
        item.action(m_database);
    } catch (const Error& e) {
        const auto* const failure = dynamic_cast<const DatabaseError*>(&e);
        if (failure != nullptr && failure->fault() != DbFault::Constraint) throw;
        m_database.execute("ROLLBACK TO request");
        result.failedRequests[index] = std::current_exception();
    }
    m_database.execute("RELEASE request");
}

void WriterConnection::saveHeartbeats() {
    const std::string now = utcNow();
    for (const auto& [run, seq] : m_lastSeq)
        m_saveHeartbeat.bind(1, seq).bind(2, now).bind(3, run).run();
}

bool WriterConnection::compactSome() {
    try {
        databaseFault("db.compact");
        m_database.execute("BEGIN IMMEDIATE");
        const bool wasMoved = compactNext(m_database);
        databaseFault("db.compact_commit");
        m_database.execute("COMMIT");
        return wasMoved;
    } catch (...) {
        m_database.rollback();
        throw;
    }
}

bool WriterConnection::checkpoint(bool whole) {
    databaseFault("db.checkpoint");
    // Waiting for readers would hold up the rows; the next commit tries again.
    sqlite3_busy_timeout(m_database.handle(), whole ? 100 : 0);
    int logPages = 0;
    int movedPages = 0;
    const int code = sqlite3_wal_checkpoint_v2(
        m_database.handle(), nullptr,
        whole ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE, &logPages, &movedPages);
    sqlite3_busy_timeout(m_database.handle(), 5000);  // keeps the error
    if (code != SQLITE_OK && classify(code) != DbFault::Busy)
        throw DatabaseError(m_database.handle(), "workspace.db");
    if (whole && code == SQLITE_OK) *m_walPages = 0;
    return code == SQLITE_OK;
}

}  // namespace orrery
