#include "core/history/chunk_rows.h"

#include <cmath>
#include <limits>
#include <string>

namespace orrery {

namespace {

/// The column `flag`: 0 finite, 1 NaN, 2 +infinity, 3 -infinity.
std::int64_t flagOf(double value) {
    if (std::isfinite(value)) return 0;
    if (std::isnan(value)) return 1;
    return value > 0 ? 2 : 3;
}

double valueOf(std::int64_t flag, double value) {
    switch (flag) {
        case 0:
            return value;
        case 2:
            return std::numeric_limits<double>::infinity();
        case 3:
            return -std::numeric_limits<double>::infinity();
        default:
            return std::numeric_limits<double>::quiet_NaN();
    }
}

PackedNumbers numbersIn(const Statement& row, int column) {
    return {.base = row.integer(column),
            .gap = row.integer(column + 1),
            .width = static_cast<int>(row.integer(column + 2)),
            .bytes = row.text(column + 3)};
}

void bindNumbers(Statement& insert, int index, const PackedNumbers& numbers) {
    insert.bind(index, numbers.base).bind(index + 1, numbers.gap);
    insert.bind(index + 2, std::int64_t{numbers.width}).bindBlob(index + 3, numbers.bytes);
}

}  // namespace

Statement& bindPoint(Statement& insert, std::int64_t curve, const MetricRow& point) {
    const std::int64_t flag = flagOf(point.value);
    insert.bind(1, curve).bind(2, point.seq).bind(3, point.step).bind(5, flag);
    return flag == 0 ? insert.bind(4, point.value) : insert.bindNull(4);
}

MetricRow pointIn(const Statement& row) {
    return {.seq = row.integer(0),
            .step = row.integer(1),
            .value = valueOf(row.integer(3), row.real(2))};
}

CurveChunk chunkIn(const Statement& row) {
    return {.count = row.integer(0),
            .seq = numbersIn(row, 1),
            .step = numbersIn(row, 5),
            .values = row.text(9)};
}

void insertChunk(Database& database, std::int64_t curve, std::int64_t firstSeq,
                 const MetricRow& last, const CurveChunk& chunk) {
    Statement insert = database.prepare(
        "INSERT INTO chunk(curve, last_seq, last_step, last_value, last_flag, seq, " +
        std::string(kChunkColumns) + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    bindPoint(insert, curve, last).bind(6, firstSeq).bind(7, chunk.count);
    bindNumbers(insert, 8, chunk.seq);
    bindNumbers(insert, 12, chunk.step);
    insert.bindBlob(16, chunk.values).run();
}

}  // namespace orrery
