#include "widgets/replay/encoded_scene.h"

#include <algorithm>
#include <cstring>

#include "core/encode/agent_order.h"
#include "core/world/world.h"

namespace orrery {

namespace {

bool isChangeable(const Piece& piece) {
    switch (piece.kind) {
        case PieceKind::Door:
        case PieceKind::Key:
        case PieceKind::Ball:
        case PieceKind::Box:
        case PieceKind::Block:
        case PieceKind::Rock:
        case PieceKind::MagicWall:
        case PieceKind::Bush:
        case PieceKind::Number:
        case PieceKind::Agent:
            return true;
        default:
            return false;
    }
}

/// Of a thing by its plane, or what stands for a key.
std::optional<PieceKind> thingOf(int plane, int key) {
    if (plane == key) return PieceKind::Key;
    switch (plane) {
        case kBallPlane:
            return PieceKind::Ball;
        case kBoxPlane:
            return PieceKind::Box;
        case kBlockPlane:
            return PieceKind::Block;
        case kRockPlane:
            return PieceKind::Rock;
        default:
            return std::nullopt;
    }
}

Carried carriedOf(int type) {
    return type == CellBits::kKey ? Carried::Key
           : type == kBallPlane   ? Carried::Ball
           : type == kBoxPlane    ? Carried::Box
                                  : Carried::Nothing;
}

void addCell(const CellBits& bits, int x, int y, std::vector<Piece>& pieces) {
    const auto colorOf = [](int color) { return static_cast<Color>(std::clamp(color, 0, 6)); };
    if (bits.type == CellBits::kDoor)
        pieces.push_back({.kind = PieceKind::Door,
                          .x = x,
                          .y = y,
                          .color = colorOf(bits.color),
                          .door = static_cast<DoorState>(std::clamp(bits.door - 1, 0, 2))});
    if (bits.magic > 0)
        pieces.push_back(
            {.kind = PieceKind::MagicWall,
             .x = x,
             .y = y,
             .magicSide = static_cast<std::uint8_t>(bits.magic < 6 ? bits.magic - 1 : 4),
             .active = bits.magic < 6});
    if (bits.type == kBushPlane) {
        pieces.push_back({.kind = PieceKind::Bush, .x = x, .y = y});
        if (bits.density > 0)
            pieces.push_back(
                {.kind = PieceKind::Number, .x = x, .y = y, .number = bits.density + 1});
    }
    if (const auto kind = thingOf(bits.type, CellBits::kKey))
        pieces.push_back({.kind = *kind, .x = x, .y = y, .color = colorOf(bits.color)});
    if (bits.thing > 0)
        if (const auto kind = thingOf(bits.thing, CellBits::kKeyThing))
            pieces.push_back({.kind = *kind, .x = x, .y = y, .color = colorOf(bits.thingColor)});
}

void addAgents(const World& world, std::span<const std::int16_t> numbers,
               const std::vector<Piece>& first, std::vector<Piece>& pieces) {
    const std::vector<int> order = encodedAgentOrder(world);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto own =
            numbers.subspan(i * EncodingShape::kAgentNumbers, EncodingShape::kAgentNumbers);
        const auto known = std::ranges::find_if(first, [&](const Piece& piece) {
            return piece.kind == PieceKind::Agent && piece.agent == order[i];
        });
        Piece piece{.kind = PieceKind::Agent, .agent = order[i]};
        if (known != first.end()) piece = *known;
        piece.x = own[0];
        piece.y = own[1];
        piece.direction = 4;
        for (std::uint8_t d = 0; d < 4; ++d)
            if (own[2U + d] != 0) piece.direction = d;
        piece.carried = carriedOf(own[8]);
        piece.carriedColor = static_cast<Color>(std::clamp<int>(own[9], 0, 6));
        piece.paused = own[10] != 0;
        piece.terminated = own[11] != 0;
        pieces.push_back(piece);
    }
}

}  // namespace

WorldScene sceneOfEncoded(const World& world, const EncodingShape& shape,
                          std::span<const std::byte> encoded, std::span<const std::uint8_t> goals) {
    WorldScene scene = sceneOf(world, world.initialConfiguration());
    scene.showCoordinates = false;
    for (GoalMark& mark : scene.goals) {
        const auto human = static_cast<std::size_t>(mark.human);
        mark.isCurrent = human < goals.size() && goals[human] == mark.goal;
    }
    if (encoded.size() != shape.bytes() || shape.width < world.width() ||
        shape.height < world.height())
        return scene;
    // Numbers in it are read in place, which needs their alignment.
    std::vector<std::int32_t> aligned(encoded.size() / sizeof(std::int32_t));
    std::memcpy(aligned.data(), encoded.data(), encoded.size());
    const auto parts = partsOf(shape, std::as_bytes(std::span<const std::int32_t>(aligned)));
    std::vector<Piece> pieces;
    for (const Piece& piece : scene.pieces)
        if (!isChangeable(piece)) pieces.push_back(piece);
    for (int y = 0; y < world.height(); ++y)
        for (int x = 0; x < world.width(); ++x) {
            const int cell = y * shape.width + x;
            addCell(CellBits::of(parts.cells[static_cast<std::size_t>(cell)]), x, y, pieces);
        }
    addAgents(world, parts.agents, scene.pieces, pieces);
    scene.pieces = std::move(pieces);
    return scene;
}

}  // namespace orrery
