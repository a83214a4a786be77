#pragma once

#include <cstdint>
#include <string>

namespace orrery {

class Database;

/// Moves points of a run that has ended from rows into a chunk, inside an open transaction.
/// @return false if no such run has points in rows
bool compactNext(Database& database);

/// Makes rows again of those chunks of a run's curves that reach behind `step`, inside an open
/// transaction.
void expandBehind(Database& database, const std::string& runId, std::int64_t step);

}  // namespace orrery
