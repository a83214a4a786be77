#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "core/base/progress.h"
#include "core/dag/state_graph.h"

namespace orrery {

/// Counts the states that a solve has done and tells of them. Any thread.
class SolveProgress {
public:
    /// @param sink  may be empty; outlives this
    SolveProgress(const StateGraph& graph, const ProgressSink& sink);

    /// States of all levels.
    std::int64_t total() const { return m_total; }
    void add(std::int64_t states) { m_done.fetch_add(states, std::memory_order_relaxed); }
    /// Tells at most 30 times a second; where it is `last`, in any case.
    /// @param step  the level that is worked on
    void report(int step, bool last);

private:
    using Clock = std::chrono::steady_clock;

    const ProgressSink& m_sink;
    std::int64_t m_total = 0;
    std::atomic<std::int64_t> m_done{0};
    std::atomic<std::int64_t> m_lastReport{-1000};
    Clock::time_point m_start = Clock::now();
};

}  // namespace orrery
