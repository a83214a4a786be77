#pragma once

#include <span>
#include <vector>

#include "core/world/piece.h"

namespace orrery {

/// How two pictures of a world differ.
struct SceneChange {
    std::vector<Piece> gone, added;  ///< each in the order of its picture
};

/// Whether two pieces are drawn alike in the same cell.
bool isSame(const Piece& a, const Piece& b);

/// The pieces of a scene that another scene of the same world does not have, in their order.
/// O(n log n) in the number of pieces, whatever the number of cells.
std::vector<Piece> onlyIn(std::span<const Piece> these, std::span<const Piece> others);

}  // namespace orrery
