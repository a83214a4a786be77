#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace orrery {

/// What a thread of a run does.
enum class WorkKind : std::uint8_t {
    Load,     ///< a kept graph or kept values are read
    Explore,  ///< configurations are expanded
    Store,    ///< what was found is put in order, or written to disk
    Solve,    ///< both phases of states, one state after the other
};
inline constexpr int kNumWorkKinds = 4;

/// "load", "explore", "store", "solve".
const char* nameOf(WorkKind kind);

/// One thread's work on one level without a longer break.
struct WorkInterval {
    WorkKind kind = WorkKind::Load;
    int thread = 0;
    int level = -1, lastLevel = -1;        ///< steps; the same unless neighbours had to be merged
    std::int64_t beginNs = 0, endNs = 0;   ///< since the trace began
    std::int64_t busyNs = 0;               ///< <= endNs - beginNs: without short breaks inside
    std::int64_t phase1Ns = 0;             ///< <= busyNs: of phase 1, estimated; Solve only
    std::int64_t states = 0, entries = 0;  ///< done: states (or configurations), graph entries

    bool holds(int step) const { return step >= 0 && level <= step && step <= lastLevel; }
    bool operator==(const WorkInterval&) const = default;
};

/// What the threads of a run did when. Immutable once made.
struct WorkTimeline {
    int threads = 0;
    std::int64_t untilNs = 0;             ///< when it was taken
    std::vector<WorkInterval> intervals;  ///< by thread, then by begin; those of a thread are apart
};

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

    /// All of it. While no thread is at work.
    std::shared_ptr<const WorkTimeline> timeline() const;

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

/// At most `most` intervals in all, merged as WorkTrace does.
WorkTimeline thinned(const WorkTimeline& timeline, std::size_t most);

}  // namespace orrery
