#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/trace/stage_spans.h"

namespace orrery {

/// What a thread of a solve does.
struct WorkKind {
    static constexpr SpanKind kLoad = ownSpan(0);     ///< a kept graph or kept values are read
    static constexpr SpanKind kExplore = ownSpan(1);  ///< configurations are expanded
    static constexpr SpanKind kStore = ownSpan(2);  ///< what was found is put in order, or to disk
    /// Both phases of states, one state after the other.
    static constexpr SpanKind kSolve = ownSpan(4);
    /// No span is of it: SpanWork::phase1Ns says how much of kSolve is. What is left is phase 2.
    static constexpr SpanKind kPhase1 = ownSpan(3);
};

/// "load", "explore", "store", "phase1", "solve"; their titles say "phase 1" and "phase 2".
const std::vector<SpanWords>& workSpans();

/// One thread's work on one level without a longer break.
struct WorkInterval {
    SpanKind kind = WorkKind::kLoad;
    int thread = 0;
    std::int64_t beginNs = 0, endNs = 0;  ///< since the trace began
    SpanWork work = {};

    bool operator==(const WorkInterval&) const = default;
};

/// A lane of a timeline. @param intervals  of the thread, by begin, apart from each other
std::shared_ptr<const SpanLane> workLane(int thread, const std::vector<WorkInterval>& intervals);

/// First begin and last end of the spans of a kind with a level; nothing if there are none.
struct LevelTime {
    std::int64_t beginNs = 0, endNs = 0, busyNs = 0, states = 0;
};
std::optional<LevelTime> timeOfLevel(const SpanTimeline& timeline, int level, SpanKind kind);

/// Writes down what each thread does, at the cost of two looks at the clock for every chunk of
/// work. Each thread writes to a list of its own; neighbouring chunks of one level become one
/// interval. A list that is full is thinned out: breaks between its intervals are left out first,
/// borders between levels next, so a trace takes at most `capacity` intervals a thread.
class WorkTrace {
public:
    explicit WorkTrace(std::size_t capacity = 4096);

    /// Makes the lists. While no thread is at work; lists that are there stay.
    void setThreads(int threads);
    /// ns since the trace began. Any thread.
    std::int64_t now() const;
    /// Any thread, for its own interval.thread; after the intervals it added before.
    void add(const WorkInterval& interval);
    /// Adds the time from `beginNs` until now.
    void addUntilNow(WorkInterval interval, std::int64_t beginNs);

    /// All of it, a lane a thread. While no thread is at work.
    /// @param most  spans in all: further ones are merged, but for 8 a thread
    std::shared_ptr<const SpanTimeline> timeline(
        std::size_t most = std::numeric_limits<std::size_t>::max()) const;

private:
    /// On cache lines of its own.
    struct alignas(128) Lane {
        std::vector<WorkInterval> intervals;
        std::int64_t gapNs = 0;  ///< shorter breaks are left out
    };
    void thin(Lane& lane) const;

    std::size_t m_capacity;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    std::vector<std::unique_ptr<Lane>> m_lanes;
};

}  // namespace orrery
