#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace orrery {

/// Bytes that this process can still take without swapping or hitting a limit: the least of the
/// machine's MemAvailable, what is left under each enclosing control group's limit (v1 or v2; its
/// inactive file cache counts as free), and what is left of RLIMIT_AS.
/// @param root where /proc and /sys are looked for; tests give a folder of their own
/// @return 0 if nothing could be read
std::uint64_t availableMemory(const std::filesystem::path& root = "/");

/// Bytes of this process that are in memory now; 0 if not known.
std::uint64_t residentBytes();

/// As people read it, rounded up: "1234 MiB".
std::string mebibytes(std::int64_t bytes);

}  // namespace orrery
