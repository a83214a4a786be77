#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace orrery {

class Database;

/// What people say about a run; members that are not set stay as they are.
struct RunEdit {
    std::string run{};  ///< its id
    std::optional<std::string> name{};
    std::optional<std::string> note{};
    std::optional<std::vector<std::string>> tags{};  ///< all of them; empty and doubled ones drop
    std::optional<bool> isTrashed{};
};

/// Writes edits inside an open transaction; its caller undoes it after an error.
/// @throws Error (BadInput) if there is no such run, or a live one is to be put into the trash
void applyEdits(Database& database, std::span<const RunEdit> edits);

/// Removes runs and all their rows inside an open transaction.
/// @throws Error (BadInput) if a run is not in the trash
void deleteRunRows(Database& database, std::span<const std::string> runIds);

/// Gives the points of a run's curves behind `step` other keys, "superseded.1/" and the former one
/// (the next time "superseded.2/"), inside an open transaction.
void supersedePoints(Database& database, const std::string& runId, std::int64_t step);

}  // namespace orrery
