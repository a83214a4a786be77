#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "widgets/plots/packed_steps.h"

namespace orrery {

/// No value.
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// What a stretch of points holds. Only finite values count as values; the others are counted
/// apart.
struct SeriesExtent {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    double leastPositive = std::numeric_limits<double>::infinity();
    double sum = 0;
    std::int64_t finite = 0;
    std::int64_t notFinite = 0;    ///< NaN and infinities
    std::int64_t notPositive = 0;  ///< finite values <= 0: without a place on a logarithmic axis

    double mean() const;  ///< NaN without a finite value
};

/// Mean and spread of a stretch of points.
struct SeriesStatistics {
    SeriesExtent extent;
    double mean = kNaN;
    double deviation = kNaN;  ///< n - 1; NaN below two values
};

/// The points of one column of pixels.
struct SeriesColumn {
    std::int64_t begin = 0, end = 0;  ///< point indices
    double first = kNaN;              ///< first finite value, else NaN
    double last = kNaN;               ///< last finite value, else NaN
    SeriesExtent extent;
};

/// Least and most finite value of one column of pixels; least > most if it has none.
struct SeriesReach {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
};

/// Points (x, y) in double that are only appended, with x never decreasing, and a pyramid over them
/// so that any stretch is summed up in O(log n): every kBlock points have a node, every kFan nodes
/// one above. Every point stays; nothing is sampled away.
///
/// Memory: 8 bytes for y, 0-4 for x in steps (8 at worst, see PackedSteps), under 1 for the
/// pyramid. Not thread-safe; the GUI thread appends and reads.
///
/// A copy shares the full chunks of points, which never change, and takes some milliseconds for
/// 10^7 points. Another thread may read and drop it while the original goes on.
class Series {
public:
    static constexpr std::int64_t kBlock = 64;
    static constexpr std::int64_t kFan = 8;

    Series() = default;
    Series(const Series& other);
    Series& operator=(const Series& other);
    Series(Series&&) noexcept = default;
    Series& operator=(Series&&) noexcept = default;
    ~Series() = default;

    /// @param x  finite, none below the one before it or the last x appended
    /// @param y  as many; any double
    /// @throws Error if x goes back or is not finite; nothing is appended then
    void append(std::span<const double> x, std::span<const double> y);

    std::int64_t size() const { return m_size; }
    bool isEmpty() const { return m_size == 0; }
    double x(std::int64_t index) const;
    double y(std::int64_t index) const;
    double firstX() const { return x(0); }
    double lastX() const { return m_lastX; }

    /// The first index with x(index) >= x, or size; O(log n).
    std::int64_t lowerBound(double x) const;

    /// The points [begin, end), clipped to those there are; O(log n).
    SeriesExtent extent(std::int64_t begin, std::int64_t end) const;
    SeriesStatistics statistics(std::int64_t begin, std::int64_t end) const;

    /// Column c holds the points with edges[c] <= x < edges[c + 1], the last one also those at its
    /// right edge. O(W log n).
    /// @param edges  [W + 1] never decreasing
    /// @return [W]
    std::vector<SeriesColumn> columns(std::span<const double> edges) const;

    /// Point indices where the columns of columns() begin, and where the last one ends. O(W log n).
    /// @return as many as `edges`, which are at least one
    std::vector<std::int64_t> pointEdges(std::span<const double> edges) const;

    /// The extremes of the points [begin, end), clipped to those there are; O(log n), quicker than
    /// extent().
    SeriesReach reach(std::int64_t begin, std::int64_t end) const;
    /// For drawing: the extremes of the points pointEdges[c] ... pointEdges[c + 1] - 1 for each
    /// column. Where a column holds 256 points and more on average, its edges are moved to whole
    /// entries of the pyramid, by less than a quarter of a column; no point is left out.
    std::vector<SeriesReach> reaches(std::span<const std::int64_t> pointEdges) const;

    /// All memory held, unused capacity included.
    std::int64_t bytes() const;

private:
    struct Chunk {
        PackedSteps x;
        std::vector<double> y;
    };
    /// The part of a node that drawing reads lies apart from the rest, for the caches' sake.
    struct Node {
        double leastPositive, mean, squares;  ///< squares: sum of (y - mean)^2
        std::uint32_t notFinite, notPositive;
    };
    struct Level {
        std::vector<SeriesReach> reach;
        std::vector<Node> node;
    };
    struct Piece {
        std::int64_t begin, end;
        const SeriesReach* reach;  ///< null: single points within one block
        const Node* node;
    };

    void appendPart(std::span<const double> x, std::span<const double> y);
    void finishBlocks();
    void addBlock(std::int64_t block);
    void addJoined(std::size_t level, std::int64_t pointsEach);
    std::int64_t numBlocks() const { return m_levels.empty() ? 0 : std::ssize(m_levels[0].node); }
    template <typename Visit>
    void visitPieces(std::int64_t begin, std::int64_t end, const Visit& visit) const;
    const double* values(std::int64_t index) const;  ///< contiguous up to its block's end
    double firstFinite(std::int64_t begin, std::int64_t end) const;
    double lastFinite(std::int64_t begin, std::int64_t end) const;

    std::vector<std::shared_ptr<Chunk>> m_chunks;  ///< the last one, if not full, is not shared
    std::vector<double> m_chunkFirst;              ///< x of each chunk's first point
    std::vector<Level> m_levels;  ///< entry j of level k: kBlock * kFan^k points, all there
    std::int64_t m_size = 0;
    double m_lastX = -std::numeric_limits<double>::infinity();
};

}  // namespace orrery
