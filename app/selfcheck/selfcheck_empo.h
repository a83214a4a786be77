#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "app/selfcheck/oracle_result.h"

namespace orrery {

/// Computes everything that a file of the schema empo-oracle/1 holds and compares it.
///
/// Counts are compared exactly, main values to 1e-10 relative + 1e-14, sums to 1e-9, and the blocks
/// `upstream_float16` to 5e-4 with a solve that keeps its values in half precision, as upstream
/// does. Of `encodings` what is no fault of the original is compared exactly.
///
/// @param report called with one line for each mismatch and note, without the file's name
/// @throws Error (BadInput) if the file cannot be read, is of another schema, or has a value of a
///         wrong type
OracleResult checkEmpoOracle(const std::filesystem::path& file, int threads,
                             const std::function<void(const std::string& line)>& report,
                             std::stop_token stop = {});

}  // namespace orrery
