#include "core/history/curve_chunk.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace orrery {

namespace {

constexpr int kMostWidth = 4;
constexpr std::uint64_t kMostRest = std::numeric_limits<std::uint32_t>::max();

void append(std::string& bytes, std::uint64_t number, int width) {
    for (int i = width - 1; i >= 0; --i)
        bytes += static_cast<char>(static_cast<unsigned char>(number >> (8 * i)));
}

std::uint64_t numberAt(const std::string& bytes, std::size_t index, int width) {
    std::uint64_t number = 0;
    for (int i = 0; i < width; ++i)
        number = number << 8U |
                 static_cast<unsigned char>(
                     bytes[index * static_cast<std::size_t>(width) + static_cast<std::size_t>(i)]);
    return number;
}

// Differences wrap around, so that no step is too far from another.
std::uint64_t less(std::int64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(a) - b;
}

/// What is left of each number behind a line through the first and the last one, above the least.
/// @return false if the rests are too large for one chunk
bool pack(std::span<const MetricRow> points, std::int64_t MetricRow::*member, PackedNumbers& out) {
    const std::int64_t first = points.front().*member;
    const auto span = static_cast<std::int64_t>(less(points.back().*member, first));
    out.gap = points.size() > 1 ? span / static_cast<std::int64_t>(points.size() - 1) : 0;
    std::vector<std::int64_t> rests;
    rests.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        rests.push_back(static_cast<std::int64_t>(
            less(points[i].*member,
                 static_cast<std::uint64_t>(first) + i * static_cast<std::uint64_t>(out.gap))));
    const auto [least, most] = std::ranges::minmax(rests);
    const std::uint64_t range = less(most, static_cast<std::uint64_t>(least));
    if (range > kMostRest) return false;
    out.base = static_cast<std::int64_t>(static_cast<std::uint64_t>(first) +
                                         static_cast<std::uint64_t>(least));
    out.width = (static_cast<int>(std::bit_width(range)) + 7) / 8;
    for (const std::int64_t rest : rests)
        append(out.bytes, less(rest, static_cast<std::uint64_t>(least)), out.width);
    return true;
}

std::int64_t at(const PackedNumbers& numbers, std::size_t i) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(numbers.base) +
                                     i * static_cast<std::uint64_t>(numbers.gap) +
                                     numberAt(numbers.bytes, i, numbers.width));
}

bool isWhole(const PackedNumbers& numbers, std::size_t count) {
    return numbers.width >= 0 && numbers.width <= kMostWidth &&
           numbers.bytes.size() == count * static_cast<std::size_t>(numbers.width);
}

}  // namespace

CurveChunk packed(std::span<const MetricRow> points) {
    std::span<const MetricRow> taken = points.first(std::min(points.size(), kChunkPoints));
    CurveChunk chunk;
    while (!pack(taken, &MetricRow::seq, chunk.seq) || !pack(taken, &MetricRow::step, chunk.step)) {
        chunk = {};
        taken = taken.first((taken.size() + 1) / 2);  // one alone has no rest
    }
    chunk.count = std::ssize(taken);
    for (const MetricRow& point : taken)
        append(chunk.values, std::bit_cast<std::uint64_t>(point.value), 8);
    return chunk;
}

void unpack(const CurveChunk& chunk, std::int64_t afterSeq, std::vector<MetricRow>& points) {
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(0, chunk.count));
    if (!isWhole(chunk.seq, count) || !isWhole(chunk.step, count) ||
        chunk.values.size() != 8 * count)
        return;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t seq = at(chunk.seq, i);
        if (seq <= afterSeq) continue;
        points.push_back({.seq = seq,
                          .step = at(chunk.step, i),
                          .value = std::bit_cast<double>(numberAt(chunk.values, i, 8))});
    }
}

}  // namespace orrery
