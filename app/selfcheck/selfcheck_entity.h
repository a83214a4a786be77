#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "app/selfcheck/oracle_result.h"

namespace orrery {

/// Computes everything that one of the entity stack's oracle files holds and compares it: ragged
/// buffers' programs (ragged.json). Numbers of ragged buffers are compared exactly; a call that
/// must be refused has to name the sizes that the file names, and to leave all buffers as they
/// were.
///
/// @param report called with one line for each mismatch and note, without the file's name
/// @throws Error (BadInput) if the file cannot be read, is none of them, or has a value of a wrong
///         type
OracleResult checkEntityOracle(const std::filesystem::path& file,
                               const std::function<void(const std::string& line)>& report,
                               const std::stop_token& stop = {});

}  // namespace orrery
