#pragma once

#include <chrono>
#include <string>

#include "core/history/database.h"

namespace orrery {

/// SQLite's quick_check, ended after `budget`: what was not looked at by then counts as sound.
/// @return the first damage found, escaped; empty if there is none
/// @throws DatabaseError if the check itself could not run for another reason than damage
std::string quickCheck(Database& database,
                       std::chrono::milliseconds budget = std::chrono::milliseconds(1000));

}  // namespace orrery
