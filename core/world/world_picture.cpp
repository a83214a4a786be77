#include "core/world/world_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery {

namespace {

PictureColor colorOf(Color color) {
    return {.tone = Tone::Thing, .index = static_cast<std::uint8_t>(color)};
}

/// What fills a cell; nothing for what stands in it.
std::optional<PictureColor> fillOf(const Piece& piece) {
    switch (piece.kind) {
        case PieceKind::Wall:
            return PictureColor{.tone = Tone::Solid};
        case PieceKind::Floor:
            return PictureColor{.tone = Tone::Ground};
        case PieceKind::Lava:
            return PictureColor{.tone = Tone::Bad};
        case PieceKind::GoalTile:
            return PictureColor{.tone = Tone::Good};
        case PieceKind::SwitchTile:
        case PieceKind::UnsteadyGround:
            return PictureColor{.tone = Tone::Warning};
        case PieceKind::MagicWall:
            return PictureColor{.tone = Tone::Solid, .opacity = piece.active ? 0.5F : 1.F};
        default:
            return std::nullopt;
    }
}

enum Flag : std::int16_t { kActive = 1, kOn = 2, kHuman = 4, kRobot = 8, kDead = 16, kPaused = 32 };

std::array<std::int16_t, 12> traitsOf(const Piece& piece) {
    const auto number = [](auto value) { return static_cast<std::int16_t>(value); };
    const int flags = (piece.active ? kActive : 0) | (piece.on ? kOn : 0) |
                      (piece.isHuman ? kHuman : 0) | (piece.isRobot ? kRobot : 0) |
                      (piece.terminated ? kDead : 0) | (piece.paused ? kPaused : 0);
    return {number(static_cast<int>(piece.kind) + 1),
            number(piece.color),
            number(piece.door),
            number(piece.magicSide),
            number(flags),
            number(piece.direction),
            number(piece.agent),
            number(piece.carried),
            number(piece.carriedColor),
            number(piece.number),
            number(piece.target)};
}

PictureSprite agentSprite(const Piece& piece) {
    using enum PictureSprite::Shape;
    const bool hasDirection = piece.direction < 4;
    PictureSprite sprite;
    sprite.shape = piece.terminated ? Cross : hasDirection ? Triangle : Disc;
    sprite.degrees = hasDirection ? 90.F * static_cast<float>(piece.direction) : 0.F;
    sprite.fill = colorOf(piece.color);
    if (piece.paused) sprite.fill.opacity = 0.5F;
    return sprite;
}

PictureSprite spriteOf(const Piece& piece) {
    using enum PictureSprite::Shape;
    PictureSprite sprite{.shape = Square, .fill = {.tone = Tone::Muted}};
    switch (piece.kind) {
        case PieceKind::Agent:
            sprite = agentSprite(piece);
            break;
        case PieceKind::Door:
            sprite.shape = piece.door == DoorState::Open ? Ring : Square;
            sprite.fill = colorOf(piece.color);
            sprite.label = piece.door == DoorState::Locked ? "x" : "";
            break;
        case PieceKind::Key:
        case PieceKind::Box:
        case PieceKind::Ball:
            sprite.shape = piece.kind == PieceKind::Key   ? Diamond
                           : piece.kind == PieceKind::Box ? Square
                                                          : Disc;
            sprite.size = 0.5F;
            sprite.fill = colorOf(piece.color);
            break;
        case PieceKind::Rock:
            sprite.shape = Disc;
            break;
        case PieceKind::Bush:
            sprite.shape = Star;
            sprite.fill = {.tone = Tone::Good, .opacity = piece.active ? 1.F : 0.3F};
            break;
        case PieceKind::KillButton:
        case PieceKind::PauseSwitch:
        case PieceKind::DisablingSwitch:
        case PieceKind::ControlButton:
            sprite.shape = piece.active ? Ring : Cross;
            sprite.fill = {.tone = piece.on ? Tone::Accent : Tone::Warning};
            break;
        default:
            break;
    }
    sprite.name = pieceName(piece.kind);
    sprite.center = {static_cast<float>(piece.x) + 0.5F, static_cast<float>(piece.y) + 0.5F};
    sprite.traits = traitsOf(piece);
    return sprite;
}

PictureSprite terrainSprite(const Piece& piece, const PictureColor& fill) {
    return {.name = pieceName(piece.kind),
            .shape = PictureSprite::Shape::Square,
            .center = {static_cast<float>(piece.x) + 0.5F, static_cast<float>(piece.y) + 0.5F},
            .size = 1,
            .fill = fill,
            .isOutlined = false,
            .traits = traitsOf(piece)};
}

PictureSprite numberSprite(const Piece& piece) {
    PictureSprite sprite = spriteOf(piece);
    sprite.fill.opacity = 0;
    sprite.isOutlined = false;
    sprite.label = std::to_string(piece.number);
    return sprite;
}

/// A frame around each goal of each human.
std::vector<PictureFrame> goalFrames(const World& world, std::span<const std::uint8_t> pursued) {
    std::vector<PictureFrame> frames;
    const std::span<const HumanGoals> humans = world.goals();
    const std::vector<std::string> letters = world.agentLetters();
    std::size_t color = 2;  // the first ones are those of agents
    for (std::size_t h = 0; h < humans.size(); ++h)
        for (std::size_t g = 0; g < humans[h].goals.size(); ++g) {
            const Goal& goal = humans[h].goals[g];
            frames.push_back(
                {.corner = {static_cast<float>(goal.x1), static_cast<float>(goal.y1)},
                 .width = static_cast<float>(goal.x2 - goal.x1 + 1),
                 .height = static_cast<float>(goal.y2 - goal.y1 + 1),
                 .color = {.tone = Tone::Data, .index = static_cast<std::uint8_t>(color++ % 8)},
                 .label = letters[static_cast<std::size_t>(humans[h].agent)],
                 .isStrong = h < pursued.size() && pursued[h] == g,
                 .owner = static_cast<int>(h),
                 .number = static_cast<int>(g)});
        }
    return frames;
}

/// The cells that are seen, whole or in part.
CellArea seenCells(const World& world, const PictureWish& wish) {
    const auto within = [](float cell, int most) {
        return static_cast<int>(std::clamp(cell, 0.F, static_cast<float>(most)));
    };
    CellArea area{.x = within(std::floor(wish.corner.x), world.width()),
                  .y = within(std::floor(wish.corner.y), world.height())};
    area.width = within(std::ceil(wish.corner.x + wish.width), world.width()) - area.x;
    area.height = within(std::ceil(wish.corner.y + wish.height), world.height()) - area.y;
    return area;
}

}  // namespace

Picture pictureOf(const World& world, std::span<const std::uint64_t> configuration,
                  const PictureWish& wish, std::span<const std::uint8_t> pursued) {
    PictureLayer floor{.frames = goalFrames(world, pursued)}, things;
    const std::vector<std::string> letters = world.agentLetters();
    for (const Piece& piece : world.sceneIn(configuration, seenCells(world, wish))) {
        if (const auto fill = fillOf(piece))
            floor.sprites.push_back(terrainSprite(piece, *fill));
        else
            things.sprites.push_back(piece.kind == PieceKind::Number ? numberSprite(piece)
                                                                     : spriteOf(piece));
        if (piece.kind == PieceKind::Agent && piece.agent >= 0)
            things.sprites.back().label = letters[static_cast<std::size_t>(piece.agent)];
    }
    return {.width = static_cast<float>(world.width()),
            .height = static_cast<float>(world.height()),
            .hasGrid = true,
            .book = std::string(kPieceBook),
            .layers = {std::move(floor), std::move(things)}};
}

Piece pieceOf(const PictureSprite& sprite) {
    const auto& traits = sprite.traits;
    const int flags = traits[4];
    return {.kind = static_cast<PieceKind>(traits[0] - 1),
            .x = static_cast<int>(sprite.center.x),
            .y = static_cast<int>(sprite.center.y),
            .color = static_cast<Color>(traits[1]),
            .door = static_cast<DoorState>(traits[2]),
            .magicSide = static_cast<std::uint8_t>(traits[3]),
            .active = (flags & kActive) != 0,
            .on = (flags & kOn) != 0,
            .direction = static_cast<std::uint8_t>(traits[5]),
            .agent = traits[6],
            .isHuman = (flags & kHuman) != 0,
            .isRobot = (flags & kRobot) != 0,
            .terminated = (flags & kDead) != 0,
            .paused = (flags & kPaused) != 0,
            .carried = static_cast<Carried>(traits[7]),
            .carriedColor = static_cast<Color>(traits[8]),
            .number = traits[9],
            .target = traits[10]};
}

}  // namespace orrery
