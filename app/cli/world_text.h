#pragma once

#include <string>
#include <vector>

#include "app/cli/console.h"
#include "core/world/world.h"

namespace orrery {

/// Draws a configuration for a terminal: one line a row of cells, three columns a cell, coordinates
/// along the edges, and a legend of what occurs in it. Uses the console's colours, and plain ASCII
/// where its locale is not UTF-8.
std::vector<std::string> drawWorld(const World& world, std::span<const std::uint64_t> configuration,
                                   const Console& console);

/// "human0 (h0)", "locked red door": the words of the legend.
std::string pieceText(const World& world, const Piece& piece);

}  // namespace orrery
