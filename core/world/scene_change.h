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

/// What is gone and what is new in the second of two scenes of one world. O(n log n) in the number
/// of pieces, whatever the number of cells.
SceneChange changeBetween(std::span<const Piece> before, std::span<const Piece> after);

}  // namespace orrery
