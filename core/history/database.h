#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace orrery {

/// What a failure of SQLite asks its caller to do.
enum class DbFault {
    Full,        ///< no space: wait and try again
    Busy,        ///< locked or out of memory for the moment: try again
    Io,          ///< a file call failed: close, reopen and look what arrived
    ReadOnly,    ///< no right to write
    Constraint,  ///< this row breaks a rule; the others are fine
    Corrupt,     ///< the data are broken, or are not what we expect: stop writing
};

/// An SQLite result code, primary or extended, in our terms.
/// @param systemError  errno of the failed call, 0 if unknown: a file that could not be opened,
///                     grown or synced for want of space is Full too
DbFault classify(int sqliteCode, int systemError = 0);

/// A failed call of SQLite; Kind is Damaged for Corrupt, BadInput for Constraint, else Resource.
class DatabaseError : public Error {
public:
    DatabaseError(int sqliteCode, const std::string& databaseFile, const std::string& detail,
                  int systemError = 0);
    /// What the last call on this connection failed with.
    DatabaseError(sqlite3* connection, const std::string& databaseFile);

    DbFault fault() const { return m_fault; }

private:
    DbFault m_fault;
};

/// A prepared statement. Parameters count from 1, columns from 0. Text is bytes with a length.
/// Lives no longer than its Database. All members throw DatabaseError.
class Statement {
public:
    Statement(sqlite3* connection, std::string_view sql, const std::string& databaseFile);

    Statement& bind(int index, std::int64_t value);
    Statement& bind(int index, double value);
    Statement& bind(int index, std::string_view text);
    Statement& bindBlob(int index, std::string_view bytes);
    Statement& bindNull(int index);

    /// True if there is a row.
    bool step();
    /// Runs the statement to its end and makes it ready for the next use.
    void run();
    /// Ready for the next use, whatever came before.
    void reset();

    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string text(int column) const;
    bool isNull(int column) const;

private:
    void check(int code) const;

    struct Finalize {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    const std::string* m_databaseFile;  // the Database's
    sqlite3* m_connection;
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
};

/// One SQLite connection with the settings that all of ours share. One thread at a time.
class Database {
public:
    enum class Access {
        Read,       ///< never writes or checkpoints, also not when closing
        Immutable,  ///< Read, for a file that nobody can change
        Write,      ///< full sync, no automatic checkpoints
        Create,     ///< Write; the file is made if there is none
    };

    /// @throws DatabaseError
    Database(const std::filesystem::path& file, Access access);
    Database(Database&&) = default;
    Database& operator=(Database&&) = delete;

    void execute(const char* sql);
    Statement prepare(std::string_view sql);

    /// The first column of the first row; nothing without a row.
    std::optional<std::int64_t> integer(std::string_view sql);
    std::string text(std::string_view sql);

    /// Rows changed by the last statement.
    std::int64_t changes() const { return sqlite3_changes64(m_connection.get()); }
    /// Undoes an open transaction; never throws.
    void rollback() noexcept;

    sqlite3* handle() const { return m_connection.get(); }

private:
    struct Close {
        void operator()(sqlite3* connection) const { sqlite3_close(connection); }
    };
    std::unique_ptr<std::string> m_file;  // stays in place when moved: statements point to it
    std::unique_ptr<sqlite3, Close> m_connection;
};

}  // namespace orrery
