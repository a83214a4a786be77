#pragma once

#include <cstdint>
#include <filesystem>

#include "core/world/world.h"

namespace orrery {

/// Where the graph of a world is kept in a workspace.
std::filesystem::path graphFile(const std::filesystem::path& workspaceFolder, const World& world,
                                bool unrolled);

/// Removes kept graphs, the least recently used first, until the rest takes at most `bytes`.
/// @return how many were removed
int trimGraphs(const std::filesystem::path& workspaceFolder, std::int64_t bytes);

}  // namespace orrery
