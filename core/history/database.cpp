#include "core/history/database.h"

#include <cerrno>
#include <string>

#include "core/base/text.h"

namespace orrery {

namespace {

Error::Kind kindOf(DbFault fault) {
    switch (fault) {
        case DbFault::Corrupt:
            return Error::Kind::Damaged;
        case DbFault::Constraint:
            return Error::Kind::BadInput;
        default:
            return Error::Kind::Resource;
    }
}

const char* adviceFor(DbFault fault) {
    switch (fault) {
        case DbFault::Full:
            return "Free some space on this disk.";
        case DbFault::Busy:
            return "Another program holds the database: close it there.";
        case DbFault::Io:
            return "Check the disk, the limit of open files and the permissions of the folder.";
        case DbFault::ReadOnly:
            return "Choose a folder that you may write to, or change its permissions.";
        case DbFault::Constraint:
            return "This row was left out.";
        case DbFault::Corrupt:
            break;
    }
    return "Keep a copy of the folder and run `orrery verify` on it.";
}

std::string messageOf(int code, const std::string& file, const std::string& detail, DbFault fault) {
    std::string text = "Database '" + escaped(file) + "': " + sqlite3_errstr(code);
    if (!detail.empty() && detail != sqlite3_errstr(code)) text += " (" + escaped(detail) + ")";
    return text + " [SQLite " + std::to_string(code) + "]. " + adviceFor(fault);
}

std::string uriOf(const std::filesystem::path& file) {
    std::string uri = "file:";
    const std::filesystem::path whole = std::filesystem::absolute(file);
    for (const char c : whole.native()) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '-' || c == '_';
        constexpr std::string_view kDigits = "0123456789ABCDEF";
        const auto byte = static_cast<unsigned char>(c);
        if (plain)
            uri += c;
        else
            uri += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
    return uri + "?immutable=1";
}

}  // namespace

DbFault classify(int sqliteCode, int systemError) {
    const int primary = sqliteCode & 0xFF;
    if ((primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN) &&
        (systemError == ENOSPC || systemError == EDQUOT))
        return DbFault::Full;
    switch (primary) {
        case SQLITE_FULL:
            return DbFault::Full;
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_NOMEM:
        case SQLITE_INTERRUPT:
        case SQLITE_PROTOCOL:
            return DbFault::Busy;
        case SQLITE_IOERR:
            return sqliteCode == SQLITE_IOERR_CORRUPTFS || sqliteCode == SQLITE_IOERR_DATA
                       ? DbFault::Corrupt
                       : DbFault::Io;
        case SQLITE_CANTOPEN:
            return DbFault::Io;
        case SQLITE_READONLY:
        case SQLITE_PERM:
        case SQLITE_AUTH:
            return DbFault::ReadOnly;
        case SQLITE_CONSTRAINT:
        case SQLITE_TOOBIG:
        case SQLITE_MISMATCH:
            return DbFault::Constraint;
        default:
            return DbFault::Corrupt;
    }
}

DatabaseError::DatabaseError(int sqliteCode, const std::string& databaseFile,
                             const std::string& detail, int systemError)
    : Error(messageOf(sqliteCode, databaseFile, detail, classify(sqliteCode, systemError)),
            kindOf(classify(sqliteCode, systemError))),
      m_fault(classify(sqliteCode, systemError)) {}

DatabaseError::DatabaseError(sqlite3* connection, const std::string& databaseFile)
    : DatabaseError(sqlite3_extended_errcode(connection), databaseFile, sqlite3_errmsg(connection),
                    sqlite3_system_errno(connection)) {}

Statement::Statement(sqlite3* connection, std::string_view sql, const std::string& databaseFile)
    : m_databaseFile(&databaseFile), m_connection(connection) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()),
                                        &statement, nullptr);
    m_statement.reset(statement);
    check(code);
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) throw DatabaseError(m_connection, *m_databaseFile);
}

Statement& Statement::bind(int index, std::int64_t value) {
    check(sqlite3_bind_int64(m_statement.get(), index, value));
    return *this;
}

Statement& Statement::bind(int index, double value) {
    check(sqlite3_bind_double(m_statement.get(), index, value));
    return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
    // An empty view may point nowhere, which SQLite would take for NULL.
    const char* const data = text.empty() ? "" : text.data();
    check(sqlite3_bind_text64(m_statement.get(), index, data, text.size(), SQLITE_TRANSIENT,
                              SQLITE_UTF8));
    return *this;
}

Statement& Statement::bindBlob(int index, std::string_view bytes) {
    // An empty view may point nowhere, which SQLite would take for NULL.
    const char* const data = bytes.empty() ? "" : bytes.data();
    check(sqlite3_bind_blob64(m_statement.get(), index, data, bytes.size(), SQLITE_TRANSIENT));
    return *this;
}

Statement& Statement::bindNull(int index) {
    check(sqlite3_bind_null(m_statement.get(), index));
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(m_statement.get());
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    const DatabaseError error(m_connection, *m_databaseFile);
    sqlite3_reset(m_statement.get());
    throw error;
}

void Statement::run() {
    while (step()) {
    }
    reset();
}

void Statement::reset() {
    sqlite3_reset(m_statement.get());  // repeats the code of the last step, which was reported
    sqlite3_clear_bindings(m_statement.get());
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(m_statement.get(), column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(m_statement.get(), column);
}

std::string Statement::text(int column) const {
    const auto* const text = sqlite3_column_text(m_statement.get(), column);
    if (text == nullptr) return {};
    const int bytes = sqlite3_column_bytes(m_statement.get(), column);
    return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(bytes)};
}

bool Statement::isNull(int column) const {
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

Database::Database(const std::filesystem::path& file, Access access)
    : m_file(std::make_unique<std::string>(file.native())) {
    const bool writes = access == Access::Write || access == Access::Create;
    int flags = SQLITE_OPEN_NOMUTEX | (writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
    if (access == Access::Create) flags |= SQLITE_OPEN_CREATE;
    std::string name = std::filesystem::absolute(file).native();
    if (access == Access::Immutable) {
        flags |= SQLITE_OPEN_URI;
        name = uriOf(file);
    }
    sqlite3* connection = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &connection, flags, nullptr);
    m_connection.reset(connection);
    if (connection == nullptr) throw DatabaseError(SQLITE_NOMEM, *m_file, "");
    if (code != SQLITE_OK) throw DatabaseError(connection, *m_file);
    sqlite3_extended_result_codes(connection, 1);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    if (!writes) sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_busy_timeout(connection, 5000);
    execute(
        "PRAGMA foreign_keys=ON; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY;"
        "PRAGMA mmap_size=0; PRAGMA wal_autocheckpoint=0");
    execute(writes ? "PRAGMA synchronous=FULL" : "PRAGMA query_only=ON");
}

void Database::execute(const char* sql) {
    if (sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
        throw DatabaseError(handle(), *m_file);
}

Statement Database::prepare(std::string_view sql) {
    return {handle(), sql, *m_file};
}

std::optional<std::int64_t> Database::integer(std::string_view sql) {
    Statement statement = prepare(sql);
    if (!statement.step()) return std::nullopt;
    return statement.integer(0);
}

std::string Database::text(std::string_view sql) {
    Statement statement = prepare(sql);
    return statement.step() ? statement.text(0) : std::string();
}

void Database::rollback() noexcept {
    if (sqlite3_get_autocommit(handle()) == 0)
        sqlite3_exec(handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

}  // namespace orrery
