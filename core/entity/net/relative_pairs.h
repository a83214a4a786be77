#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/entity/net_spec.h"

namespace orrery {

/// In which places of a table the pairs of things in frames are to each other: frame by frame, pair
/// i * items + j of query i and key j.
struct RelativePairs {
    std::vector<std::int32_t> row;  ///< [pairs x rowsEach]
    std::vector<float> share;       ///< [pairs x rowsEach] weights of the rows; empty: 1 each
    std::vector<float>
        features;  ///< [pairs x 3] what lies between them and how far; empty: not asked
};

/// Where things are, frame by frame.
struct ThingPositions {
    std::span<const std::int64_t> rowBegin = {};  ///< [frames + 1] of the things
    std::span<const float> positions = {};        ///< [things x dimensions]
    std::span<const float> directions = {};       ///< [things] radians; empty: all 0
    int dimensions = 2;
};

/// rel = position of the query less that of the key.
///   cells:     clamp(rel / scale, -e, e) + e, rounded once over all dimensions, halves to even
///   angles:    trunc of ((atan2(rel) - direction + 2 pi) / 2 pi n) mod n
///   distances: min(trunc(|rel| / scale), n - 1)
/// Interpolated ones take two neighbours, both take four; an angle exactly on a place takes the
/// next.
/// @param withFeatures  rel and |rel| are wanted, in two dimensions
/// Source: spec entity, section 5.
RelativePairs relativePairs(const RelposSpec& spec, const ThingPositions& things,
                            bool withFeatures);

}  // namespace orrery
