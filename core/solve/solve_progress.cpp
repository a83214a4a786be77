#include "core/solve/solve_progress.h"

namespace orrery {

SolveProgress::SolveProgress(const StateGraph& graph, const ProgressSink& sink) : m_sink(sink) {
    for (int t = 0; t < graph.numLevels(); ++t) m_total += graph.levelSize(t);
}

void SolveProgress::report(int step, bool last) {
    if (!m_sink) return;
    const std::int64_t now =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - m_start).count();
    std::int64_t before = m_lastReport.load(std::memory_order_relaxed);
    if (!last && (now - before < 33 || !m_lastReport.compare_exchange_strong(before, now))) return;
    Progress progress{
        .phase = "solve", .done = m_done, .total = m_total, .unit = "states", .level = step};
    progress.seconds = static_cast<double>(now) / 1000.0;
    if (progress.seconds > 0)
        progress.ratePerSecond = static_cast<double>(progress.done) / progress.seconds;
    if (progress.ratePerSecond > 0)
        progress.secondsLeft =
            static_cast<double>(progress.total - progress.done) / progress.ratePerSecond;
    m_sink(progress);
}

}  // namespace orrery
