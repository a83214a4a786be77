#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/trace/work_trace.h"

namespace orrery::test {

/// The spans of a solve, by thread and time.
inline std::vector<WorkInterval> intervalsOf(const SpanTimeline& timeline) {
    std::vector<WorkInterval> intervals;
    for (const SpanPlace& place : timeline.places()) {
        const StageSpan& span = timeline.spanAt(place);
        intervals.push_back({.kind = span.kind(),
                             .thread = place.lane,
                             .beginNs = span.beginNs(),
                             .endNs = span.endNs(),
                             .work = timeline.workAt(place)});
    }
    return intervals;
}

/// The timeline of a solve that has these spans.
inline std::shared_ptr<SpanTimeline> timelineOf(int threads,
                                                const std::vector<WorkInterval>& intervals,
                                                std::int64_t untilNs = 0) {
    auto timeline = std::make_shared<SpanTimeline>();
    timeline->words = workSpans();
    timeline->untilNs = untilNs;
    for (int thread = 0; thread < threads; ++thread) {
        std::vector<WorkInterval> own;
        for (const WorkInterval& interval : intervals)
            if (interval.thread == thread) own.push_back(interval);
        timeline->lanes.push_back(workLane(thread, own));
    }
    return timeline;
}

}  // namespace orrery::test
