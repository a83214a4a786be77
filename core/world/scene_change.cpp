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

namespace {

std::vector<Piece> onlyIn(std::span<const Piece> these, std::span<const Piece> others) {
    const auto isBefore = [](const Piece* a, const Piece* b) {
        return std::pair(a->y, a->x) < std::pair(b->y, b->x);
    };
    std::vector<const Piece*> byCell;
    byCell.reserve(others.size());
    for (const Piece& piece : others) byCell.push_back(&piece);
    std::ranges::sort(byCell, isBefore);
    std::vector<Piece> rest;
    for (const Piece& piece : these) {
        const auto [first, last] = std::equal_range(byCell.begin(), byCell.end(), &piece, isBefore);
        if (std::none_of(first, last, [&](const Piece* other) { return isSame(*other, piece); }))
            rest.push_back(piece);
    }
    return rest;
}

}  // namespace

SceneChange changeBetween(std::span<const Piece> before, std::span<const Piece> after) {
    return {onlyIn(before, after), onlyIn(after, before)};
}

}  // namespace orrery
