#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/diagnostic.h"
#include "core/files/world_keys.h"
#include "core/world/world_spec.h"

namespace orrery {

struct WorldReadOptions {
    bool lenient = false;  ///< keys that no world file has are warnings instead of errors
};

/// What a world file says.
struct WorldFile {
    WorldSpec spec;  ///< complete if there are no errors; else with defaults in the wrong places
    std::vector<Diagnostic> diagnostics;  ///< errors first, then warnings, each by line and column
    int omitted = 0;                      ///< diagnostics beyond the first 20
    bool hasErrors = false;
};

/// Files up to this size are read: a map of 10,000 x 10,000 cells, in a block of text after `map:
/// |`, and 16 MiB of everything else.
inline constexpr std::size_t kMaxWorldFileBytes = 320u << 20;

/// Reads a world file: the original's YAML, the same content as JSON, and our additional keys
/// (those of its family). Everything wrong in it is reported at once with its place, down to the
/// cell of the map; at last validate() is asked about the whole.
/// @throws Error if the file cannot be read, is no regular file or is larger than
/// kMaxWorldFileBytes
WorldFile readWorldFile(const std::filesystem::path& path, const WorldReadOptions& options = {});

/// The same for a text; `fileName` is what diagnostics call it. Whatever the bytes are, the result
/// has a usable spec or at least one error. May be called from any thread.
WorldFile parseWorld(std::string_view text, const std::string& fileName,
                     const WorldReadOptions& options = {});

/// The spec of a world file without errors.
/// @throws Error (BadInput) with one line for each error
const WorldSpec& requireSpec(const WorldFile& file);

}  // namespace orrery
