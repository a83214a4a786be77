#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string_view>

#include "core/base/atomic_write.h"

namespace orrery {

/// Whether a result written to `path` takes the place of something: of a file, or of what a folder
/// holds. Pipes, terminals and open descriptors ("-") take what comes and lose nothing. To be asked
/// before the work that makes the result begins.
bool holdsSomething(const std::filesystem::path& path);

/// Writes the file that a person named for a result.
///
/// A file is replaced whole or not at all, as atomicWrite does. Into what is no file, a pipe or a
/// terminal, the bytes go as they come; so they do for an open descriptor (/dev/stdout, for which
/// "-" is short), at its position. A pipe without a reader is waited for.
///
/// @param writer called once; if it returns false, a file keeps its old content
/// @param stop   ends the waiting for a pipe's reader
/// @return false if the writer gave up, or if stopped while waiting
/// @throws Error (Resource) naming path and reason, (BadInput) for a disk or a socket
bool writeOutput(const std::filesystem::path& path, const std::function<bool(FileWriter&)>& writer,
                 const std::stop_token& stop = {});
bool writeOutput(const std::filesystem::path& path, std::string_view content,
                 const std::stop_token& stop = {});

}  // namespace orrery
