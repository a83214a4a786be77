#pragma once

#include <cstdint>

#include "core/history/curve_chunk.h"
#include "core/history/database.h"
#include "core/history/records.h"

/// Points and chunks of curves as rows of the tables `point` and `chunk`.
namespace orrery {

inline constexpr const char* kInsertPoint =
    "INSERT INTO point(curve, seq, step, value, flag) VALUES (?, ?, ?, ?, ?)";

/// Binds a point to the first five parameters, as kInsertPoint has them.
Statement& bindPoint(Statement& insert, std::int64_t curve, const MetricRow& point);

/// The columns "seq, step, value, flag", the first ones of a row.
MetricRow pointIn(const Statement& row);

/// The columns that chunkIn() reads, the first ones of a row; there are kNumChunkColumns.
inline constexpr const char* kChunkColumns =
    "count, seq_base, seq_gap, seq_width, seqs, step_base, step_gap, step_width, steps, vals";
inline constexpr int kNumChunkColumns = 10;
CurveChunk chunkIn(const Statement& row);

/// @param firstSeq, last  of the points in it
void insertChunk(Database& database, std::int64_t curve, std::int64_t firstSeq,
                 const MetricRow& last, const CurveChunk& chunk);

}  // namespace orrery
