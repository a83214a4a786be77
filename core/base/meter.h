#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "core/base/progress.h"

namespace orrery {

/// Tells how far a phase is, thirty times a second at most, with rate and time left. One thread.
class Meter {
public:
    /// @param phase  its name and unit
    /// @param sink   may be empty; outlives this
    Meter(Progress phase, const ProgressSink& sink) : m_told(std::move(phase)), m_sink(sink) {}

    /// @param total  0 if it is not known
    /// @param isEnd  tells it however short the time since the last call
    void tell(std::int64_t done, std::int64_t total, bool isEnd = false) {
        if (!m_sink) return;
        const auto now = std::chrono::steady_clock::now();
        if (!isEnd && now - m_last < std::chrono::milliseconds(34)) return;
        m_last = now;
        m_told.done = done;
        m_told.total = total;
        m_told.seconds = std::chrono::duration<double>(now - m_begin).count();
        m_told.ratePerSecond = static_cast<double>(done) / std::max(1e-3, m_told.seconds);
        if (total > 0 && done > 0)
            m_told.secondsLeft = static_cast<double>(total - done) / m_told.ratePerSecond;
        m_sink(m_told);
    }

private:
    Progress m_told;
    const ProgressSink& m_sink;
    const std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point m_last = {};  // so that the first is told at once
};

}  // namespace orrery
