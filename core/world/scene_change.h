#pragma once

#include <span>
#include <vector>

#include "core/world/piece.h"

namespace orrery {

/// Whether two pieces are drawn alike in the same cell.
bool isSame(const Piece& a, const Piece& b);

/// The pieces of a scene that another scene of the same world does not have, in their order.
/// O(pieces), also in a world of many cells.
std::vector<Piece> onlyIn(std::span<const Piece> these, std::span<const Piece> others);

}  // namespace orrery
