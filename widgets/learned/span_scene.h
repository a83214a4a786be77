#pragma once

#include <QPointF>
#include <QRectF>
#include <memory>
#include <optional>
#include <vector>

#include "core/trace/span_stats.h"

namespace orrery {

/// Where the spans of a training lie in a picture, how a person moves through it, and the range
/// that was marked. Times are ns since the recording began. Knows no drawing.
class SpanScene {
public:
    static constexpr double kHead = 112;  ///< pixels of the threads' names at the left
    static constexpr double kRight = 16;
    static constexpr double kOverview = 48;  ///< height of the strip with the whole time
    static constexpr double kAxis = 28, kLegend = 28;
    static constexpr double kSteps = 16;  ///< of the learner's lane: the numbers of its steps

    /// One span of a lane.
    struct Place {
        int lane = 0, burst = 0, span = 0;
        bool operator==(const Place&) const = default;
    };
    /// One thing to draw: a span, or a pixel that holds several.
    struct Box {
        double left = 0, right = 0;
        Place place = {};  ///< the longest of those in it
    };

    /// A view that shows everything goes on doing so as the recording grows.
    void setTimeline(std::shared_ptr<const SpanTimeline> timeline);
    const std::shared_ptr<const SpanTimeline>& timeline() const { return m_timeline; }
    bool isEmpty() const { return !m_timeline || m_timeline->lanes.empty(); }
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

    int numLanes() const { return isEmpty() ? 0 : static_cast<int>(m_timeline->lanes.size()); }
    const SpanLane& laneAt(int lane) const {
        return *m_timeline->lanes[static_cast<std::size_t>(lane)];
    }
    const SpanBurst& burstAt(const Place& place) const {
        return *laneAt(place.lane).bursts[static_cast<std::size_t>(place.burst)];
    }
    const StageSpan& spanAt(const Place& place) const {
        return burstAt(place).spans[static_cast<std::size_t>(place.span)];
    }
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

    /// The recorded spans that are visible, left to right; narrow neighbours become one box.
    /// Samples with steps of less than 8 pixels are left out: there the bins speak.
    std::vector<Box> boxes(int lane) const;
    /// The span under a point.
    std::optional<Place> spanUnder(const QPointF& point) const;
    /// The bin under a point where no span is.
    const SpanBin* binUnder(const QPointF& point) const;
    int laneUnder(const QPointF& point) const;  ///< -1: none
    /// Number of the step that a span belongs to, and how long that took; 0 where it was not
    /// recorded whole.
    struct StepOfSpan {
        std::int64_t step = 0, lengthNs = 0;
    };
    StepOfSpan stepOf(const Place& place) const;

    /// Round distances between ticks: 1, 2 or 5 times a power of ten, at least `pixels` apart.
    double tickNs(double pixels) const;

private:
    void clamp();
    bool isWide(const SpanBurst& burst) const;

    std::shared_ptr<const SpanTimeline> m_timeline;
    QSizeF m_size{640, 300};
    double m_begin = 0, m_end = 1e9, m_scroll = 0;
    bool m_showsAll = true;
    std::optional<SpanRange> m_range;
};

}  // namespace orrery
