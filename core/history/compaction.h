#pragma once

#include <cstdint>
#include <string>

namespace orrery {

class Database;

/// Moves points of runs that have ended from rows into chunks, inside an open transaction: of one
/// curve, one chunk at most.
/// @param after  curves up to this number are left alone; becomes the number of the one that was
///               looked at
/// @return false if there is none behind it
bool compactNext(Database& database, std::int64_t& after);

/// Makes rows again of those chunks of a run's curves that reach behind `step`, inside an open
/// transaction.
void expandBehind(Database& database, const std::string& runId, std::int64_t step);

}  // namespace orrery
