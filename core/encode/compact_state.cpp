#include "core/encode/compact_state.h"

#include <algorithm>

namespace orrery {

namespace {

template <typename Byte, typename T>
auto take(Byte*& at, std::size_t count) {
    using Number = std::conditional_t<std::is_const_v<Byte>, const T, T>;
    const std::span<Number> part(reinterpret_cast<Number*>(at), count);
    at += count * sizeof(T);
    return part;
}

template <typename Byte>
CompactParts<Byte> split(const EncodingShape& shape, std::span<Byte> bytes) {
    Byte* at = bytes.data();
    CompactParts<Byte> parts;
    parts.cells = take<Byte, std::int32_t>(at, shape.cells());
    parts.globals = take<Byte, float>(at, EncodingShape::kGlobals);
    parts.agents = take<Byte, std::int16_t>(at, shape.agentNumbers());
    parts.interactive = take<Byte, std::int16_t>(at, shape.interactiveNumbers());
    return parts;
}

}  // namespace

CompactParts<std::byte> partsOf(const EncodingShape& shape, std::span<std::byte> bytes) {
    return split(shape, bytes);
}

CompactParts<const std::byte> partsOf(const EncodingShape& shape,
                                      std::span<const std::byte> bytes) {
    return split(shape, bytes);
}

std::int32_t CellBits::packed() const {
    std::uint32_t bits = 0;
    int shift = 0;
    const auto put = [&](int value, int width) {
        bits |= static_cast<std::uint32_t>(value) << shift;
        shift += width;
    };
    put(type, 5);
    put(color, 3);
    put(door, 2);
    put(agent, 3);
    put(magic, 3);
    put(other, 2);
    put(density, 8);
    put(thing, 3);
    put(thingColor, 3);
    return static_cast<std::int32_t>(bits);
}

CellBits CellBits::of(std::int32_t packed) {
    auto bits = static_cast<std::uint32_t>(packed);
    const auto take = [&bits](int width) {
        const std::uint32_t value = bits & ((1U << width) - 1);
        bits >>= width;
        return static_cast<int>(value);
    };
    CellBits cell;
    cell.type = take(5);
    cell.color = take(3);
    cell.door = take(2);
    cell.agent = take(3);
    cell.magic = take(3);
    cell.other = take(2);
    cell.density = take(8);
    cell.thing = take(3);
    cell.thingColor = take(3);
    return cell;
}

void decompress(std::span<const std::int32_t> cells, PlaneLayout layout, std::span<float> out) {
    std::ranges::fill(out, 0.0F);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const CellBits cell = CellBits::of(cells[i]);
        const auto set = [&](int plane, int value) {
            const int place = placeOf(plane, layout);
            if (place >= 0)
                out[static_cast<std::size_t>(place) * cells.size() + i] = static_cast<float>(value);
        };
        if (cell.type <= kBushPlane)
            set(cell.type, cell.type == kBushPlane ? cell.density + 1 : 1);
        else if (cell.type == CellBits::kDoor)
            set(kDoorPlane + cell.color, cell.door);
        else if (cell.type == CellBits::kKey)
            set(kKeyPlane + cell.color, 1);
        if (cell.magic != 0) set(kMagicWallPlane, cell.magic);
        if (cell.other != 0) set(kOtherOverlappablePlane + cell.other - 1, 1);
        if (cell.thing == CellBits::kKeyThing)
            set(kKeyPlane + cell.thingColor, 1);
        else if (cell.thing != 0)
            set(cell.thing, 1);
        if (cell.agent != CellBits::kNoAgent) {
            set(kAgentPlane + cell.agent, 1);
            set(kOtherImmobilePlane, 1);
        }
    }
}

}  // namespace orrery
