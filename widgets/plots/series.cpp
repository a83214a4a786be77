#include "widgets/plots/series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/base/error.h"

namespace orrery {

namespace {

constexpr std::int64_t kChunk = PackedSteps::kChunkPoints;
static_assert(kChunk % Series::kBlock == 0);
constexpr std::size_t kSharedBytes = 16;  ///< that a shared chunk needs besides

/// Grows by an eighth instead of doubling: the pyramid must stay small.
template <typename T>
void pushTightly(std::vector<T>& list, T value) {
    if (list.size() == list.capacity()) list.reserve(list.size() + list.size() / 8 + 8);
    list.push_back(std::move(value));
}

void addValues(SeriesExtent& extent, const double* y, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        const double value = y[i];
        if (!std::isfinite(value)) {
            ++extent.notFinite;
            continue;
        }
        ++extent.finite;
        extent.sum += value;
        extent.least = std::min(extent.least, value);
        extent.most = std::max(extent.most, value);
        if (value > 0)
            extent.leastPositive = std::min(extent.leastPositive, value);
        else
            ++extent.notPositive;
    }
}

void requireSteps(std::span<const double> x, std::size_t numY, double last) {
    if (x.size() != numY)
        throw Error("A chart got " + std::to_string(x.size()) + " steps for " +
                    std::to_string(numY) + " values: pass as many of each.");
    for (const double value : x) {
        if (!std::isfinite(value) || value < last)
            throw Error("A chart got the step " + std::to_string(value) + " after " +
                        std::to_string(last) +
                        ": steps of one series never go back. Put what was repeated (a fork, a "
                        "resumed run) into a series of its own.");
        last = value;
    }
}

}  // namespace

double SeriesExtent::mean() const {
    return finite > 0 ? sum / static_cast<double>(finite) : kNaN;
}

Series::Series(const Series& other)
    : m_chunks(other.m_chunks),
      m_chunkFirst(other.m_chunkFirst),
      m_levels(other.m_levels),
      m_size(other.m_size),
      m_lastX(other.m_lastX) {
    if (m_size % kChunk != 0) m_chunks.back() = std::make_shared<Chunk>(*m_chunks.back());
}

Series& Series::operator=(const Series& other) {
    if (this != &other) *this = Series(other);
    return *this;
}

void Series::append(std::span<const double> x, std::span<const double> y) {
    requireSteps(x, y.size(), m_lastX);
    while (!x.empty()) {
        const auto room = static_cast<std::size_t>(kChunk - m_size % kChunk);
        const std::size_t count = std::min(room, x.size());
        appendPart(x.first(count), y.first(count));
        x = x.subspan(count);
        y = y.subspan(count);
    }
}

void Series::appendPart(std::span<const double> x, std::span<const double> y) {
    if (m_size % kChunk == 0) {
        pushTightly(m_chunks, std::make_shared<Chunk>());
        pushTightly(m_chunkFirst, x.front());
    }
    Chunk& chunk = *m_chunks.back();
    if (chunk.y.size() + y.size() > kBlock) chunk.y.reserve(static_cast<std::size_t>(kChunk));
    chunk.x.append(x);
    chunk.y.insert(chunk.y.end(), y.begin(), y.end());
    if (std::ssize(chunk.y) == kChunk) chunk.x.close();
    m_size += std::ssize(x);
    m_lastX = x.back();
    finishBlocks();
}

void Series::finishBlocks() {
    if (m_levels.empty()) m_levels.emplace_back();
    while (numBlocks() < m_size / kBlock) addBlock(numBlocks());
    std::int64_t points = kBlock;
    for (std::size_t level = 0; level < m_levels.size(); ++level, points *= kFan) {
        const std::int64_t complete = std::ssize(m_levels[level].node) / kFan;
        if (complete == 0) break;
        if (level + 1 == m_levels.size()) m_levels.emplace_back();
        while (std::ssize(m_levels[level + 1].node) < complete) addJoined(level, points);
    }
}

void Series::addBlock(std::int64_t block) {
    const double* y = values(block * kBlock);
    SeriesExtent extent;
    addValues(extent, y, kBlock);
    const double mean = extent.finite > 0 ? extent.mean() : 0;
    double squares = 0;
    for (std::int64_t i = 0; i < kBlock; ++i)
        if (std::isfinite(y[i])) squares += (y[i] - mean) * (y[i] - mean);
    pushTightly(m_levels[0].reach, SeriesReach{extent.least, extent.most});
    pushTightly(m_levels[0].node, Node{extent.leastPositive, mean, squares,
                                       static_cast<std::uint32_t>(extent.notFinite),
                                       static_cast<std::uint32_t>(extent.notPositive)});
}

/// Adds the next entry above `level`, whose entries stand for `pointsEach` points.
void Series::addJoined(std::size_t level, std::int64_t pointsEach) {
    const Level& below = m_levels[level];
    Level& above = m_levels[level + 1];
    const std::size_t first = above.node.size() * kFan;
    SeriesReach reach = below.reach[first];
    Node all = below.node[first];
    auto count = static_cast<double>(pointsEach - all.notFinite);
    for (std::size_t i = first + 1; i < first + kFan; ++i) {
        const Node& node = below.node[i];
        const auto more = static_cast<double>(pointsEach - node.notFinite);
        reach.least = std::min(reach.least, below.reach[i].least);
        reach.most = std::max(reach.most, below.reach[i].most);
        all.leastPositive = std::min(all.leastPositive, node.leastPositive);
        all.notFinite += node.notFinite;
        all.notPositive += node.notPositive;
        if (more == 0) continue;
        const double distance = node.mean - all.mean;
        all.squares += node.squares + distance * distance * count * more / (count + more);
        all.mean += distance * more / (count + more);
        count += more;
    }
    pushTightly(above.reach, reach);
    pushTightly(above.node, all);
}

const double* Series::values(std::int64_t index) const {
    return m_chunks[static_cast<std::size_t>(index / kChunk)]->y.data() + index % kChunk;
}

double Series::x(std::int64_t index) const {
    return m_chunks[static_cast<std::size_t>(index / kChunk)]->x.at(
        static_cast<int>(index % kChunk));
}

double Series::y(std::int64_t index) const {
    return *values(index);
}

std::int64_t Series::lowerBound(double x) const {
    if (m_size == 0 || x > m_lastX) return m_size;
    // The last chunk that begins below x holds the place, or ends just before it.
    const auto after = std::ranges::lower_bound(m_chunkFirst, x);
    if (after == m_chunkFirst.begin()) return 0;
    const std::int64_t chunk = after - m_chunkFirst.begin() - 1;
    return chunk * kChunk + m_chunks[static_cast<std::size_t>(chunk)]->x.lowerBound(x);
}

template <typename Visit>
void Series::visitPieces(std::int64_t begin, std::int64_t end, const Visit& visit) const {
    begin = std::clamp<std::int64_t>(begin, 0, m_size);
    end = std::clamp<std::int64_t>(end, begin, m_size);
    while (begin < end) {
        const std::int64_t blockEnd = (begin / kBlock + 1) * kBlock;
        if (begin % kBlock != 0 || blockEnd > end) {
            const std::int64_t stop = std::min(end, blockEnd);
            visit(Piece{begin, stop, nullptr, nullptr});
            begin = stop;
            continue;
        }
        std::size_t level = 0;
        std::int64_t points = kBlock;
        while (level + 1 < m_levels.size() && begin % (points * kFan) == 0 &&
               begin + points * kFan <= end) {
            ++level;
            points *= kFan;
        }
        const auto entry = static_cast<std::size_t>(begin / points);
        visit(Piece{begin, begin + points, &m_levels[level].reach[entry],
                    &m_levels[level].node[entry]});
        begin += points;
    }
}

SeriesExtent Series::extent(std::int64_t begin, std::int64_t end) const {
    SeriesExtent all;
    visitPieces(begin, end, [&](const Piece& piece) {
        if (!piece.node) {
            addValues(all, values(piece.begin), piece.end - piece.begin);
            return;
        }
        const std::int64_t finite = piece.end - piece.begin - piece.node->notFinite;
        all.least = std::min(all.least, piece.reach->least);
        all.most = std::max(all.most, piece.reach->most);
        all.leastPositive = std::min(all.leastPositive, piece.node->leastPositive);
        all.sum += piece.node->mean * static_cast<double>(finite);
        all.finite += finite;
        all.notFinite += piece.node->notFinite;
        all.notPositive += piece.node->notPositive;
    });
    return all;
}

SeriesStatistics Series::statistics(std::int64_t begin, std::int64_t end) const {
    SeriesStatistics result;
    result.extent = extent(begin, end);
    double count = 0;
    double mean = 0;
    double squares = 0;
    const auto join = [&](double more, double itsMean, double itsSquares) {
        if (more == 0) return;
        const double distance = itsMean - mean;
        squares += itsSquares + distance * distance * count * more / (count + more);
        mean += distance * more / (count + more);
        count += more;
    };
    visitPieces(begin, end, [&](const Piece& piece) {
        if (piece.node) {
            join(static_cast<double>(piece.end - piece.begin - piece.node->notFinite),
                 piece.node->mean, piece.node->squares);
            return;
        }
        const double* y = values(piece.begin);
        for (std::int64_t i = 0; i < piece.end - piece.begin; ++i)
            if (std::isfinite(y[i])) join(1, y[i], 0);
    });
    if (count > 0) result.mean = mean;
    if (count > 1) result.deviation = std::sqrt(squares / (count - 1));
    return result;
}

std::vector<SeriesColumn> Series::columns(std::span<const double> edges) const {
    std::vector<SeriesColumn> result;
    if (edges.size() < 2) return result;
    result.resize(edges.size() - 1);
    const std::vector<std::int64_t> points = pointEdges(edges);
    std::int64_t begin = points.front();
    for (std::size_t c = 0; c < result.size(); ++c) {
        const std::int64_t end = points[c + 1];
        SeriesColumn& column = result[c];
        column.begin = begin;
        column.end = std::max(begin, end);
        if (begin < end) {
            column.extent = extent(begin, end);
            column.first = firstFinite(begin, end);
            column.last = lastFinite(begin, end);
        }
        begin = column.end;
    }
    return result;
}

std::vector<std::int64_t> Series::pointEdges(std::span<const double> edges) const {
    std::vector<std::int64_t> points(edges.size());
    for (std::size_t e = 0; e + 1 < edges.size(); ++e) points[e] = lowerBound(edges[e]);
    points.back() =
        lowerBound(std::nextafter(edges.back(), std::numeric_limits<double>::infinity()));
    return points;
}

SeriesReach Series::reach(std::int64_t begin, std::int64_t end) const {
    SeriesReach reach;
    visitPieces(begin, end, [&](const Piece& piece) {
        if (piece.reach) {
            reach.least = std::min(reach.least, piece.reach->least);
            reach.most = std::max(reach.most, piece.reach->most);
            return;
        }
        const double* y = values(piece.begin);
        for (std::int64_t i = 0; i < piece.end - piece.begin; ++i) {
            if (!std::isfinite(y[i])) continue;
            reach.least = std::min(reach.least, y[i]);
            reach.most = std::max(reach.most, y[i]);
        }
    });
    return reach;
}

std::vector<SeriesReach> Series::reaches(std::span<const std::int64_t> pointEdges) const {
    std::vector<SeriesReach> result(pointEdges.empty() ? 0 : pointEdges.size() - 1);
    if (result.empty()) return result;
    const std::int64_t last = pointEdges.back();
    std::int64_t begin = pointEdges.front();
    // The largest entries of which a column holds at least four.
    const std::int64_t fine = (last - begin) / (4 * std::ssize(result));
    std::int64_t granule = fine >= kBlock ? kBlock : 1;
    while (granule > 1 && granule * kFan <= fine) granule *= kFan;
    begin -= begin % granule;
    for (std::size_t c = 0; c < result.size(); ++c) {
        std::int64_t end = pointEdges[c + 1];
        if (c + 1 < result.size()) end -= end % granule;
        if (begin < end) result[c] = reach(begin, end);
        begin = std::max(begin, end);
    }
    return result;
}

double Series::firstFinite(std::int64_t begin, std::int64_t end) const {
    for (std::int64_t i = begin; i < end; ++i) {
        if (i % kBlock == 0 && i / kBlock < numBlocks() &&
            m_levels[0].node[static_cast<std::size_t>(i / kBlock)].notFinite == kBlock) {
            i += kBlock - 1;
            continue;
        }
        if (const double value = y(i); std::isfinite(value)) return value;
    }
    return kNaN;
}

double Series::lastFinite(std::int64_t begin, std::int64_t end) const {
    for (std::int64_t i = end - 1; i >= begin; --i) {
        if (i % kBlock == kBlock - 1 &&
            m_levels[0].node[static_cast<std::size_t>(i / kBlock)].notFinite == kBlock) {
            i -= kBlock - 1;
            continue;
        }
        if (const double value = y(i); std::isfinite(value)) return value;
    }
    return kNaN;
}

std::int64_t Series::bytes() const {
    std::size_t total = sizeof *this + m_chunks.capacity() * sizeof(m_chunks[0]) +
                        m_chunkFirst.capacity() * sizeof(double) +
                        m_levels.capacity() * sizeof(Level);
    for (const auto& chunk : m_chunks)
        total += sizeof(Chunk) + kSharedBytes + chunk->y.capacity() * sizeof(double) +
                 static_cast<std::size_t>(chunk->x.heapBytes());
    for (const Level& level : m_levels)
        total +=
            level.node.capacity() * sizeof(Node) + level.reach.capacity() * sizeof(SeriesReach);
    return static_cast<std::int64_t>(total);
}

}  // namespace orrery
