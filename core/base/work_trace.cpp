#include "core/base/work_trace.h"

#include <algorithm>
#include <limits>

namespace orrery {

namespace {

constexpr std::int64_t kFirstGapNs = 200'000;

void extend(WorkInterval& interval, const WorkInterval& by) {
    const WorkInterval before = interval;
    const bool isOneKind = interval.kind == by.kind;
    // Of two kinds in one, the longer gives the name and what it did.
    if (!isOneKind && by.busyNs > interval.busyNs) interval = by;
    interval.level = std::min(before.level, by.level);
    interval.lastLevel = std::max(before.lastLevel, by.lastLevel);
    interval.beginNs = before.beginNs;
    interval.endNs = by.endNs;
    interval.busyNs = before.busyNs + by.busyNs;
    if (!isOneKind) return;
    interval.phase1Ns += by.phase1Ns;
    interval.states += by.states;
    interval.entries += by.entries;
}

bool isSameLevel(const WorkInterval& a, const WorkInterval& b) {
    return a.kind == b.kind && a.level == b.level && a.lastLevel == b.lastLevel;
}

/// Makes one of neighbours that are of one level and not further apart.
void closeGaps(std::vector<WorkInterval>& intervals, std::int64_t gapNs) {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < intervals.size(); ++i) {
        if (isSameLevel(intervals[kept], intervals[i]) &&
            intervals[i].beginNs - intervals[kept].endNs <= gapNs)
            extend(intervals[kept], intervals[i]);
        else
            intervals[++kept] = intervals[i];
    }
    if (!intervals.empty()) intervals.resize(kept + 1);
}

/// Makes one of every two neighbours, of the same kind only where `isStrict`.
void joinPairs(std::vector<WorkInterval>& intervals, bool isStrict) {
    std::vector<WorkInterval> joined;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        joined.push_back(intervals[i]);
        if (i + 1 < intervals.size() && (!isStrict || intervals[i + 1].kind == intervals[i].kind))
            extend(joined.back(), intervals[++i]);
    }
    intervals = std::move(joined);
}

/// Leaves at most `most`.
void joinUntil(std::vector<WorkInterval>& intervals, std::size_t most) {
    for (std::size_t before = 0; intervals.size() > most;) {
        const bool isStuck = intervals.size() == before;
        before = intervals.size();
        joinPairs(intervals, !isStuck);
    }
}

}  // namespace

const char* nameOf(WorkKind kind) {
    switch (kind) {
        case WorkKind::Load:
            return "load";
        case WorkKind::Explore:
            return "explore";
        case WorkKind::Store:
            return "store";
        case WorkKind::Solve:
            break;
    }
    return "solve";
}

WorkTrace::WorkTrace(std::size_t capacity) : m_capacity(std::max<std::size_t>(capacity, 8)) {}

void WorkTrace::setThreads(int threads) {
    while (std::ssize(m_lanes) < threads) {
        m_lanes.push_back(std::make_unique<Lane>());
        m_lanes.back()->gapNs = kFirstGapNs;
    }
}

std::int64_t WorkTrace::now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                                m_start)
        .count();
}

void WorkTrace::add(const WorkInterval& interval) {
    Lane& lane = *m_lanes[static_cast<std::size_t>(interval.thread)];
    if (!lane.intervals.empty()) {
        WorkInterval& last = lane.intervals.back();
        if (isSameLevel(last, interval) && interval.beginNs - last.endNs <= lane.gapNs)
            return extend(last, interval);
    }
    if (lane.intervals.size() >= m_capacity) thin(lane);
    lane.intervals.push_back(interval);
}

void WorkTrace::addUntilNow(WorkInterval interval, std::int64_t beginNs) {
    interval.beginNs = beginNs;
    interval.endNs = now();
    interval.busyNs = interval.endNs - interval.beginNs;
    interval.lastLevel = interval.level;
    add(interval);
}

void WorkTrace::thin(Lane& lane) const {
    // Breaks up to a hundredth of the time may go; then levels are joined.
    const std::int64_t longest =
        (lane.intervals.back().endNs - lane.intervals.front().beginNs) / 100;
    while (lane.intervals.size() > m_capacity / 2 && lane.gapNs < longest) {
        lane.gapNs *= 4;
        closeGaps(lane.intervals, lane.gapNs);
    }
    joinUntil(lane.intervals, m_capacity / 2);
}

std::shared_ptr<const WorkTimeline> WorkTrace::timeline() const {
    auto timeline = std::make_shared<WorkTimeline>();
    timeline->threads = static_cast<int>(m_lanes.size());
    timeline->untilNs = now();
    for (const auto& lane : m_lanes)
        timeline->intervals.insert(timeline->intervals.end(), lane->intervals.begin(),
                                   lane->intervals.end());
    return timeline;
}

WorkTimeline thinned(const WorkTimeline& timeline, std::size_t most) {
    WorkTimeline thin{.threads = timeline.threads, .untilNs = timeline.untilNs, .intervals = {}};
    const std::size_t each =
        std::max<std::size_t>(8, most / static_cast<std::size_t>(std::max(1, timeline.threads)));
    for (int thread = 0; thread < timeline.threads; ++thread) {
        std::vector<WorkInterval> own;
        for (const WorkInterval& interval : timeline.intervals)
            if (interval.thread == thread) own.push_back(interval);
        if (own.size() > each) closeGaps(own, std::numeric_limits<std::int64_t>::max());
        joinUntil(own, each);
        thin.intervals.insert(thin.intervals.end(), own.begin(), own.end());
    }
    return thin;
}

}  // namespace orrery
