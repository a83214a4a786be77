#pragma once

#include <QString>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace orrery {

class Series;
struct SeriesColumn;

enum class SmoothingKind {
    None,
    Ema,       ///< exponential mean of the past, weight exp(-distance / window), bias corrected
    Median,    ///< of the window around a step
    Envelope,  ///< least and most of the window around a step
};

/// How the bold line is made from the points. A constant stays that constant under each kind;
/// values that are not finite take no part; no line reaches from one series into another.
struct SmoothingSpec {
    SmoothingKind kind = SmoothingKind::None;
    double window = 10;  ///< in steps (units of x), > 0
    bool operator==(const SmoothingSpec&) const = default;
};

/// "none", "ema", "median", "envelope".
QString nameOf(SmoothingKind kind);
std::optional<SmoothingKind> smoothingKindOf(const QString& name);
/// "exponential mean over 50 steps"; empty without smoothing.
/// @param xName  what the window counts: "step"
QString textOf(const SmoothingSpec& smoothing, const QString& xName);
/// The same for the screen, where long counts are grouped.
QString captionOf(const SmoothingSpec& smoothing, const QString& xName);

/// The window whose weight falls to `factor` (0-1, excluded) from one step to the next: 0.9
/// is 9.49.
double emaWindowOf(double factor);

/// The exponential mean of a series, kept at every 64th point with the least and most in between,
/// so that any point is found again in at most 64 steps. At most 0.8 bytes a point. It follows an
/// appended series by further calls of advance().
class EmaLine {
public:
    explicit EmaLine(double window) : m_window(window) {}

    double window() const { return m_window; }
    /// Takes in up to `most` further points; gives back how many are still missing.
    std::int64_t advance(const Series& series, std::int64_t most);
    std::int64_t done() const { return m_done; }

    /// The mean at a point below done(); NaN before the first finite value.
    double at(const Series& series, std::int64_t index) const;

    struct Range {
        double least = std::numeric_limits<double>::infinity();
        double most = -std::numeric_limits<double>::infinity();
        double last = std::numeric_limits<double>::quiet_NaN();
        bool isEmpty() const { return least > most; }
    };
    /// Over the points edges[c] ... edges[c + 1] - 1, for each column c. What lies beyond done() is
    /// missing. Columns of more than 32 points on average take whole blocks of 64: those that begin
    /// within them.
    /// @param edges  [W + 1] point indices, never decreasing
    /// @return [W]
    std::vector<Range> ranges(const Series& series, std::span<const std::int64_t> edges) const;

    std::int64_t bytes() const;

private:
    struct State {
        double mean = std::numeric_limits<double>::quiet_NaN();
        double weight = 0;  ///< sum of the weights so far
        double x = 0;       ///< of the last finite value
        double decayFor = -1, decay = 1;

        void add(double atX, double y, double window);
    };
    struct Start {
        double mean, weight, x;  ///< the state before a block
    };
    struct Extremes {
        double least, most;  ///< of the mean
    };

    void beginBlock();
    State before(std::int64_t block) const;
    Range rangeOfBlocks(std::int64_t begin, std::int64_t end) const;

    double m_window;
    std::int64_t m_done = 0;
    State m_state;                   ///< after m_done points
    std::vector<Start> m_starts;     ///< one for each begun block
    std::vector<Extremes> m_within;  ///< likewise
    std::vector<Extremes> m_above;   ///< of kAbove blocks each
};

/// The median of the finite values within half a window to both sides of x. With more than
/// kMostPoints points in the window it is that of every k-th of them; `stride` tells k.
class MedianLine {
public:
    static constexpr std::int64_t kMostPoints = 512;

    explicit MedianLine(double window) : m_window(window) {}
    double window() const { return m_window; }
    /// NaN if no finite value lies in the window or x is outside the series. Values asked before
    /// are remembered as long as the series had passed their windows.
    double at(const Series& series, double x);
    std::int64_t stride() const { return m_stride; }

private:
    double compute(const Series& series, double x);

    double m_window;
    std::int64_t m_stride = 1;  ///< the largest used
    std::map<double, double> m_known;
    std::vector<double> m_values;
};

/// The median of unordered values (the mean of the middle two); reorders them. NaN if there is
/// none.
double medianOf(std::vector<double>& values);

}  // namespace orrery
