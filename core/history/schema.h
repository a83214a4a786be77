#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/history/database.h"

namespace orrery {

inline constexpr int kSchemaVersion = 3;
inline constexpr int kApplicationId = 0x4F525259;  ///< "ORRY", at offset 68 of the file

/// Turns version n into n + 1, inside an open transaction; the first makes a new database. What it
/// could not take over whole is told for people.
using Migration = void (*)(Database&, std::vector<std::string>& notes);

/// The kind of a run as an expression over its config_json: 'solve', 'import', '' where it names
/// none. Files before version 3 have no column for it.
extern const char* const kKindOfConfig;

/// All migrations of this program, kSchemaVersion of them.
std::span<const Migration> migrations();

/// Brings the database to version `steps.size()` in one transaction, or leaves it as it is.
/// A version from 1 on is first copied to `backup-vN.db` beside it and synced.
/// @return what was done, for people; empty if nothing was to do
/// @throws Error
std::string migrate(Database& database, const std::filesystem::path& file,
                    std::span<const Migration> steps);

}  // namespace orrery
