#pragma once

#include <QPointF>
#include <QRectF>
#include <memory>
#include <optional>
#include <vector>

#include "core/trace/span_stats.h"

namespace orrery {

/// Sizes of a picture of threads, pixels.
struct TraceLook {
    double head = 112;     ///< of the threads' names at the left
    double overview = 48;  ///< height of the strip with the whole time
    double axis = 28, legend = 28;
    double leastLane = 24;
    double steps = 16;  ///< of the learner's lane: the numbers of its steps
    double margin = 3;  ///< of spans within a lane
    double firstMargin = 18;
    double tallBody = 30, nameTop = 0;  ///< a lane that has room for two lines, and where they are
    double tick = 92;                   ///< between two ticks, at least
    bool isTickRelative = true;  ///< to the left border, where the view is short beside its place
    bool hasRanges = true;       ///< a person can mark them
    double legendTop = 7, legendText = 15, legendGap = 14;  ///< its line, its words, its items
};
inline constexpr TraceLook kWorkLook{.head = 128,
                                     .overview = 44,
                                     .axis = 26,
                                     .legend = 30,
                                     .leastLane = 22,
                                     .steps = 0,
                                     .margin = 4,
                                     .firstMargin = 4,
                                     .tallBody = 28,
                                     .nameTop = 1,
                                     .tick = 96,
                                     .isTickRelative = false,
                                     .hasRanges = false,
                                     .legendTop = 8,
                                     .legendText = 17,
                                     .legendGap = 18};

/// Where the spans of a run's threads lie in a picture, how a person moves through it, and the
/// range that was marked. Times are ns since the recording began. Knows no drawing.
class TraceScene {
public:
    static constexpr double kRight = 16;  ///< pixels

    /// One thing to draw: a span, or a pixel that holds several.
    struct Box {
        double left = 0, right = 0;
        SpanPlace place = {};  ///< the longest of those in it
    };

    explicit TraceScene(const TraceLook& look = {}) : m_look(look) {}
    const TraceLook& look() const { return m_look; }

    /// A view that shows everything goes on doing so as the recording grows.
    void setTimeline(std::shared_ptr<const SpanTimeline> timeline);
    const std::shared_ptr<const SpanTimeline>& timeline() const { return m_timeline; }
    bool isEmpty() const { return !m_timeline || m_timeline->isEmpty(); }
    void resize(const QSizeF& size) { m_size = size; }

    SpanRange view() const;
    bool showsAll() const { return m_showsAll; }
    void fit();
    /// A factor above 1 shows less time; what is at `x` stays there.
    void zoomAt(double factor, double x);
    void panBy(double pixels);
    /// Lanes up or down, where there are more than fit.
    void scrollBy(double pixels);
    void show(double beginNs, double endNs);

    /// What statistics are limited to; nothing: all.
    const std::optional<SpanRange>& range() const { return m_range; }
    void setRange(std::optional<SpanRange> range) { m_range = range; }
    SpanRange whole() const;

    int numLanes() const { return m_timeline ? static_cast<int>(m_timeline->lanes.size()) : 0; }
    const SpanLane& laneAt(int lane) const { return m_timeline->laneAt(lane); }
    const StageSpan& spanAt(const SpanPlace& place) const { return m_timeline->spanAt(place); }
    const SpanWords& wordsOf(SpanKind kind) const {
        return orrery::wordsOf(m_timeline->words, kind);
    }
    QRectF plot() const;
    QRectF overview() const;
    QRectF axis() const;
    QRectF lane(int lane) const;  ///< with its steps, if it is the learner's
    QRectF body(int lane) const;  ///< where its spans are
    double lanesBottom() const;   ///< of those in sight
    QRectF legend() const;        ///< right below them
    double xOf(double ns) const;
    double nsAt(double x) const;
    double overviewX(double ns) const;
    double overviewNs(double x) const;

    /// The recorded spans that are visible, left to right; narrow neighbours become one box, so
    /// there are at most as many as pixels. Samples with steps of less than 8 pixels are left out
    /// where there are bins, which speak for them.
    std::vector<Box> boxes(int lane) const;
    /// The span under a point.
    std::optional<SpanPlace> spanUnder(const QPointF& point) const;
    /// The bin under a point where no span is.
    const SpanBin* binUnder(const QPointF& point) const;
    int laneUnder(const QPointF& point) const;  ///< -1: none
    /// Round distances between ticks: 1, 2 or 5 times a power of ten, at least `pixels` apart.
    double tickNs(double pixels) const;

private:
    void clamp();
    bool isWide(const SpanBurst& burst) const;

    TraceLook m_look;
    std::shared_ptr<const SpanTimeline> m_timeline;
    QSizeF m_size{640, 300};
    double m_begin = 0, m_end = 1e9, m_scroll = 0;
    bool m_showsAll = true;
    std::optional<SpanRange> m_range;
};

}  // namespace orrery
