#include "core/world/scene_change.h"

#include <algorithm>
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
    int width = 0, height = 0;
    for (const Piece& piece : others) {
        width = std::max(width, piece.x + 1);
        height = std::max(height, piece.y + 1);
    }
    // The others by cell: each names the next one of its cell.
    std::vector<int> first(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), -1);
    std::vector<int> next(others.size(), -1);
    const auto cellOf = [width](const Piece& piece) {
        return static_cast<std::size_t>(piece.y) * static_cast<std::size_t>(width) +
               static_cast<std::size_t>(piece.x);
    };
    for (std::size_t i = 0; i < others.size(); ++i)
        next[i] = std::exchange(first[cellOf(others[i])], static_cast<int>(i));
    std::vector<Piece> rest;
    for (const Piece& piece : these) {
        int i = piece.x < width && piece.y < height ? first[cellOf(piece)] : -1;
        while (i >= 0 && !isSame(others[static_cast<std::size_t>(i)], piece))
            i = next[static_cast<std::size_t>(i)];
        if (i < 0) rest.push_back(piece);
    }
    return rest;
}

}  // namespace orrery
