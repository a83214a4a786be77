#include "core/ragged/packed_rows.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

namespace orrery {

namespace {

/// Free slots of a row, and its number from the end, so that the greatest is the one to take.
using Row = std::pair<std::int64_t, std::int64_t>;

}  // namespace

std::optional<PackedRows> packRows(std::span<const std::int64_t> rowBegin) {
    const std::int64_t sequences = std::ssize(rowBegin) - 1;
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max(), width = 0;
    for (std::int64_t i = 0; i < sequences; ++i) {
        const std::int64_t length = rowBegin[i + 1] - rowBegin[i];
        shortest = std::min(shortest, length);
        width = std::max(width, length);
    }
    if (sequences <= 0 || shortest == width) return {};

    PackedRows packed{.width = width, .index = {}, .batch = {}, .inverse = {}};
    packed.inverse.resize(static_cast<std::size_t>(rowBegin[sequences]));
    std::priority_queue<Row> open;
    for (std::int64_t i = 0; i < sequences; ++i) {
        const std::int64_t length = rowBegin[i + 1] - rowBegin[i];
        Row row{width, -packed.rows};
        if (!open.empty() && open.top().first >= length) {
            row = open.top();
            open.pop();
        } else {
            ++packed.rows;
            packed.index.resize(static_cast<std::size_t>(packed.rows * width));
            packed.batch.resize(packed.index.size(), std::numeric_limits<float>::quiet_NaN());
        }
        std::int64_t place = -row.second * width + width - row.first;
        for (std::int64_t item = rowBegin[i]; item < rowBegin[i + 1]; ++item, ++place) {
            packed.index[static_cast<std::size_t>(place)] = item;
            packed.batch[static_cast<std::size_t>(place)] = static_cast<float>(i);
            packed.inverse[static_cast<std::size_t>(item)] = place;
        }
        open.emplace(row.first - length, row.second);
    }
    return packed;
}

}  // namespace orrery
