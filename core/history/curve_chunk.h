#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/history/records.h"

namespace orrery {

/// So many points of a curve are kept together at most.
inline constexpr std::size_t kChunkPoints = 4096;

/// Whole numbers, one a point: base + i * gap + an unsigned number of `width` bytes, 4 at most, the
/// most significant first.
struct PackedNumbers {
    std::int64_t base = 0, gap = 0;
    int width = 0;
    std::string bytes = {};  ///< [points * width]
};

/// Points of a curve as one row of the table `chunk` (resources/schema/003.sql) keeps them.
struct CurveChunk {
    std::int64_t count = 0;
    PackedNumbers seq = {}, step = {};
    std::string values = {};  ///< [count * 8] IEEE 754, the most significant byte first
};

/// Packs the first of these points, as many as go into one chunk: at least one.
/// @param points  ascending by seq, not empty
CurveChunk packed(std::span<const MetricRow> points);

/// Appends the points with a seq above `afterSeq`, bit for bit as they were but for the payload of
/// NaN. A chunk whose parts have wrong lengths gives none.
void unpack(const CurveChunk& chunk, std::int64_t afterSeq, std::vector<MetricRow>& points);

}  // namespace orrery
