#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/encode/compact_state.h"
#include "widgets/world/world_painter.h"

namespace orrery {

class World;

/// The picture of an encoded state: what can move or change comes from its bytes, the rest from the
/// world's first state. Goals that are pursued are marked as current.
/// @param encoded  shape.bytes() of them; anything else gives the world's first state
/// @param goals    [H] index of the goal that each human pursues; may be empty
WorldScene sceneOfEncoded(const World& world, const EncodingShape& shape,
                          std::span<const std::byte> encoded, std::span<const std::uint8_t> goals);

}  // namespace orrery
