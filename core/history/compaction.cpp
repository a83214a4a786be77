#include "core/history/compaction.h"

#include <algorithm>
#include <optional>

#include "core/history/chunk_rows.h"
#include "core/history/writer_connection.h"

namespace orrery {

namespace {

constexpr std::int64_t kBeforeAll = -1;  // the first seq is 1

/// The first curve with points in rows whose run has ended. Jumps from curve to curve.
std::optional<std::int64_t> nextEnded(Database& database) {
    Statement next =
        database.prepare("SELECT curve FROM point WHERE curve > ? ORDER BY curve LIMIT 1");
    Statement live = database.prepare(
        "SELECT 1 FROM curve JOIN run ON run.id = curve.run WHERE curve.id = ? AND run.state IN (" +
        liveStatesSql() + ")");
    for (std::int64_t curve = 0; next.bind(1, curve).step(); next.reset(), live.reset()) {
        curve = next.integer(0);
        if (!live.bind(1, curve).step()) return curve;
    }
    return std::nullopt;
}

}  // namespace

bool compactNext(Database& database) {
    const auto curve = nextEnded(database);
    if (!curve) return false;
    Statement select = database.prepare(
        "SELECT seq, step, value, flag FROM point WHERE curve = ? ORDER BY seq LIMIT ?");
    select.bind(1, *curve).bind(2, static_cast<std::int64_t>(kChunkPoints));
    std::vector<MetricRow> points;
    while (select.step()) points.push_back(pointIn(select));
    const CurveChunk chunk = packed(points);
    const MetricRow& last = points[static_cast<std::size_t>(chunk.count - 1)];
    insertChunk(database, *curve, points.front().seq, last, chunk);
    database.prepare("DELETE FROM point WHERE curve = ? AND seq <= ?")
        .bind(1, *curve)
        .bind(2, last.seq)
        .run();
    return true;
}

void expandBehind(Database& database, const std::string& runId, std::int64_t step) {
    Statement select =
        database.prepare("SELECT " + std::string(kChunkColumns) +
                         ", chunk.curve, chunk.id FROM chunk JOIN curve ON curve.id = chunk.curve "
                         "WHERE curve.run = ? AND curve.key NOT GLOB 'superseded.*'");
    select.bind(1, runId);
    Statement insert = database.prepare(kInsertPoint);
    std::vector<std::int64_t> expanded;
    while (select.step()) {
        std::vector<MetricRow> points;
        unpack(chunkIn(select), kBeforeAll, points);
        if (std::ranges::none_of(points, [&](const MetricRow& p) { return p.step > step; }))
            continue;
        for (const MetricRow& point : points)
            bindPoint(insert, select.integer(kNumChunkColumns), point).run();
        expanded.push_back(select.integer(kNumChunkColumns + 1));
    }
    select.reset();
    Statement remove = database.prepare("DELETE FROM chunk WHERE id = ?");
    for (const std::int64_t id : expanded) remove.bind(1, id).run();
}

}  // namespace orrery
