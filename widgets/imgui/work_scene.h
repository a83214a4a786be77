#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/work_trace.h"

namespace orrery {

/// What a piece of a timeline is coloured by. A solved interval shows both phases: the share of
/// phase 1 first, then that of phase 2, although the thread took turns state by state.
enum class WorkPhase : std::uint8_t { Load, Explore, Store, Phase1, Phase2 };
inline constexpr int kNumWorkPhases = 5;

/// "explore", "phase 1", ...
QString phaseName(WorkPhase phase);
/// The index into Tokens::data.
int colorIndexOf(WorkPhase phase);

/// Where the intervals of a timeline lie in a picture, and how a person moves through it. Times are
/// ns since the trace began. Knows no drawing.
class WorkScene {
public:
    static constexpr double kHead = 128;  ///< pixels of the threads' names at the left
    static constexpr double kRight = 16;
    static constexpr double kOverview = 44;  ///< height of the strip with the whole time
    static constexpr double kAxis = 26, kLegend = 30;

    /// One thing to draw of a lane: an interval, or a pixel that holds several.
    struct Box {
        double left = 0, right = 0;
        int interval = -1;  ///< the longest of those in it
        int numIntervals = 1;
    };

    /// A view that shows everything goes on doing so as the timeline grows.
    void setTimeline(std::shared_ptr<const WorkTimeline> timeline);
    const std::shared_ptr<const WorkTimeline>& timeline() const { return m_timeline; }
    bool isEmpty() const { return !m_timeline || m_timeline->intervals.empty(); }
    void resize(const QSizeF& size) { m_size = size; }

    double beginNs() const { return m_begin; }
    double endNs() const { return m_end; }
    bool showsAll() const { return m_showsAll; }
    void fit();
    /// A factor above 1 shows less time; what is at `x` stays there.
    void zoomAt(double factor, double x);
    void panBy(double pixels);
    void show(double beginNs, double endNs);
    /// Brings a level into sight if none of it is.
    void reveal(int level);

    int numLanes() const { return m_timeline ? m_timeline->threads : 0; }
    QRectF plot() const;
    QRectF overview() const;
    QRectF lane(int thread) const;
    double lanesBottom() const;  ///< of those in sight
    QRectF legend() const;       ///< right below them
    double xOf(double ns) const;
    double nsAt(double x) const;
    /// x in the overview.
    double overviewX(double ns) const;
    double overviewNs(double x) const;

    /// What is visible of a lane, left to right; narrow neighbours become one box, so there are at
    /// most as many as pixels.
    std::vector<Box> boxes(int thread) const;
    /// The interval under a point, index into timeline()->intervals.
    std::optional<int> intervalAt(const QPointF& point) const;
    /// Share of the visible time in which a thread was busy, in [0, 1].
    double busyShare(int thread) const;
    /// First begin and last end of the intervals with a level; nothing if there are none.
    struct Span {
        std::int64_t beginNs = 0, endNs = 0, busyNs = 0, states = 0;
    };
    std::optional<Span> spanOf(int level, WorkKind kind) const;

    /// Round distances between ticks: 1, 2 or 5 times a power of ten, at least `pixels` apart.
    double tickNs(double pixels) const;

private:
    void clamp();
    std::pair<std::size_t, std::size_t> laneRange(int thread) const {
        const auto at = static_cast<std::size_t>(thread);
        return {m_laneBegin[at], m_laneBegin[at + 1]};
    }
    /// The first interval of a lane that ends after a moment.
    std::size_t firstAfter(int thread, double ns) const;

    std::shared_ptr<const WorkTimeline> m_timeline;
    std::vector<std::size_t> m_laneBegin;  ///< [threads + 1] into the intervals
    QSizeF m_size{640, 360};
    double m_begin = 0, m_end = 1e9;
    bool m_showsAll = true;
};

/// "1.24 s", "3.2 ms", "850 µs": three digits.
QString spanText(double ns);
/// The same without zeros at the end, for ticks, which are round: "0", "2.5 ms".
QString tickText(double ns);

}  // namespace orrery
