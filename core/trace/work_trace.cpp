#include "core/trace/work_trace.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace orrery {

namespace {

constexpr std::int64_t kFirstGapNs = 200'000;

void extend(WorkInterval& interval, const WorkInterval& by) {
    const WorkInterval before = interval;
    const bool isOneKind = interval.kind == by.kind;
    // Of two kinds in one, the longer gives the name and what it did.
    if (!isOneKind && by.work.busyNs > interval.work.busyNs) interval = by;
    interval.beginNs = before.beginNs;
    interval.endNs = by.endNs;
    SpanWork& work = interval.work;
    work.level = std::min(before.work.level, by.work.level);
    work.lastLevel = std::max(before.work.lastLevel, by.work.lastLevel);
    work.busyNs = before.work.busyNs + by.work.busyNs;
    if (!isOneKind) return;
    work.phase1Ns += by.work.phase1Ns;
    work.states += by.work.states;
    work.entries += by.work.entries;
}

bool isSameLevel(const WorkInterval& a, const WorkInterval& b) {
    return a.kind == b.kind && a.work.level == b.work.level && a.work.lastLevel == b.work.lastLevel;
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

const std::vector<SpanWords>& workSpans() {
    static const std::vector<SpanWords> kSpans{{WorkKind::kLoad, "load", "load", 3},
                                               {WorkKind::kExplore, "explore", "explore", 6},
                                               {WorkKind::kStore, "store", "store", 4},
                                               {WorkKind::kPhase1, "phase1", "phase 1", 0},
                                               {WorkKind::kSolve, "solve", "phase 2", 2}};
    return kSpans;
}

std::shared_ptr<const SpanLane> workLane(int thread, const std::vector<WorkInterval>& intervals) {
    auto lane = std::make_shared<SpanLane>();
    lane->name = "thread " + std::to_string(thread);
    if (intervals.empty()) return lane;
    auto burst = std::make_shared<SpanBurst>();
    burst->spans.reserve(intervals.size());
    burst->work.reserve(intervals.size());
    for (const WorkInterval& interval : intervals) {
        burst->spans.emplace_back(interval.kind, interval.beginNs,
                                  interval.endNs - interval.beginNs);
        burst->work.push_back(interval.work);
    }
    lane->bursts = {std::move(burst)};
    return lane;
}

std::optional<LevelTime> timeOfLevel(const SpanTimeline& timeline, int level, SpanKind kind) {
    std::optional<LevelTime> time;
    for (const SpanPlace& place : timeline.places()) {
        const StageSpan& span = timeline.spanAt(place);
        const SpanWork& work = timeline.workAt(place);
        if (span.kind() != kind || !work.holds(level)) continue;
        if (!time) time = LevelTime{span.beginNs(), span.endNs(), 0, 0};
        time->beginNs = std::min(time->beginNs, span.beginNs());
        time->endNs = std::max(time->endNs, span.endNs());
        time->busyNs += work.busyNs;
        time->states += work.states;
    }
    return time;
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
    interval.work.busyNs = interval.endNs - interval.beginNs;
    interval.work.lastLevel = interval.work.level;
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

std::shared_ptr<const SpanTimeline> WorkTrace::timeline(std::size_t most) const {
    auto timeline = std::make_shared<SpanTimeline>();
    timeline->words = workSpans();
    timeline->untilNs = now();
    const std::size_t each =
        std::max<std::size_t>(8, most / std::max<std::size_t>(1, m_lanes.size()));
    for (const auto& lane : m_lanes) {
        std::vector<WorkInterval> own = lane->intervals;
        if (own.size() > each) closeGaps(own, std::numeric_limits<std::int64_t>::max());
        joinUntil(own, each);
        timeline->lanes.push_back(workLane(static_cast<int>(timeline->lanes.size()), own));
    }
    return timeline;
}

}  // namespace orrery
