#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/env/picture.h"
#include "core/world/world.h"

namespace orrery {

/// Pictures of worlds: their sprites are pieces.
inline constexpr std::string_view kPieceBook = "pieces";

/// A state of a world.
/// @param pursued  [H] index of the goal of each human that is pursued, whose frame is strong;
///                 empty: none is
Picture pictureOf(const World& world, std::span<const std::uint64_t> configuration,
                  const PictureWish& wish, std::span<const std::uint8_t> pursued = {});

/// The piece that a sprite of such a picture shows.
Piece pieceOf(const PictureSprite& sprite);

}  // namespace orrery
