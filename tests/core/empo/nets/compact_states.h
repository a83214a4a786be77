#pragma once

#include <cstddef>
#include <iterator>
#include <vector>

#include "core/base/rng.h"
#include "core/encode/compact_state.h"

namespace orrery::test {

/// A cell with anything in it, by chance; about half of them empty or walls.
inline std::int32_t randomCell(Rng& rng) {
    const auto below = [&rng](int n) { return static_cast<int>(rng.below(n)); };
    if (below(3) == 0) return CellBits{}.packed();
    if (below(4) == 0) return CellBits{.type = kWallPlane}.packed();
    CellBits cell;
    const int kind = below(18);
    cell.type = kind < 15 ? kind : kind - 15 + CellBits::kEmpty;
    if (cell.type == CellBits::kDoor || cell.type == CellBits::kKey) cell.color = below(7);
    if (cell.type == CellBits::kDoor) cell.door = 1 + below(3);
    cell.agent = below(2) == 0 ? CellBits::kNoAgent : below(7);
    cell.magic = below(2) == 0 ? 0 : below(7);
    cell.other = below(4);
    if (cell.type == kBushPlane) cell.density = below(256);
    cell.thing = below(8);
    if (cell.thing == CellBits::kKeyThing) cell.thingColor = below(7);
    return cell.packed();
}

/// Encoded states with anything in them, as no world has them; agents stand on the grid or are
/// missing.
inline std::vector<std::vector<std::byte>> randomStates(const EncodingShape& shape, int count,
                                                        std::uint64_t seed) {
    Rng rng(seed);
    std::vector<std::vector<std::byte>> states(static_cast<std::size_t>(count));
    for (auto& bytes : states) {
        bytes.resize(shape.bytes());
        const auto parts = partsOf(shape, std::span<std::byte>(bytes));
        for (std::int32_t& cell : parts.cells) cell = randomCell(rng);
        for (float& number : parts.globals) number = static_cast<float>(rng.uniform());
        for (std::size_t i = 0; i < parts.agents.size(); ++i) {
            const std::size_t place = i % EncodingShape::kAgentNumbers;
            const int below = place == 0 ? shape.width : place == 1 ? shape.height : 3;
            parts.agents[i] = static_cast<std::int16_t>(
                static_cast<int>(rng.below(static_cast<std::uint64_t>(below) + 1)) - 1);
        }
        for (std::int16_t& number : parts.interactive)
            number = static_cast<std::int16_t>(static_cast<int>(rng.below(12)) - 1);
    }
    return states;
}

/// States as worlds have them: walls around, and within few kinds of things, half of it empty.
inline std::vector<std::vector<std::byte>> roomStates(const EncodingShape& shape, int count,
                                                      std::uint64_t seed) {
    auto states = randomStates(shape, count, seed);
    Rng rng(seed + 1);
    const CellBits inner[] = {
        {}, {}, {}, {.type = kRockPlane}, {.type = CellBits::kDoor, .door = 2}, {.agent = 4}};
    for (auto& state : states) {
        const auto parts = partsOf(shape, std::span<std::byte>(state));
        for (std::size_t i = 0; i < parts.cells.size(); ++i) {
            const int x = static_cast<int>(i) % shape.width;
            const int y = static_cast<int>(i) / shape.width;
            const bool isBorder = x == 0 || y == 0 || x == shape.width - 1 || y == shape.height - 1;
            parts.cells[i] = isBorder ? CellBits{.type = kWallPlane}.packed()
                                      : inner[rng.below(std::size(inner))].packed();
        }
    }
    return states;
}

inline std::vector<const std::byte*> pointersTo(const std::vector<std::vector<std::byte>>& states) {
    std::vector<const std::byte*> pointers;
    pointers.reserve(states.size());
    for (const auto& state : states) pointers.push_back(state.data());
    return pointers;
}

}  // namespace orrery::test
