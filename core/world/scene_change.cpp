#include "core/world/scene_change.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace orrery {

bool isSame(const Piece& a, const Piece& b) {
    const auto keyOf = [](const Piece& p) {
        return std::tie(p.kind, p.x, p.y, p.color, p.door, p.magicSide, p.active, p.on, p.direction,
                        p.agent, p.terminated, p.paused, p.carried, p.carriedColor, p.number);
    };
    return keyOf(a) == keyOf(b);
}

std::vector<Piece> onlyIn(std::span<const Piece> these, std::span<const Piece> others) {
    // The others by cell.
    std::vector<std::size_t> byCell(others.size());
    std::iota(byCell.begin(), byCell.end(), std::size_t{0});
    const auto cellOf = [&](std::size_t i) { return std::pair(others[i].y, others[i].x); };
    std::ranges::sort(byCell, {}, cellOf);
    std::vector<Piece> rest;
    for (const Piece& piece : these) {
        const auto there =
            std::ranges::equal_range(byCell, std::pair(piece.y, piece.x), {}, cellOf);
        if (std::ranges::none_of(there, [&](std::size_t i) { return isSame(others[i], piece); }))
            rest.push_back(piece);
    }
    return rest;
}

}  // namespace orrery
