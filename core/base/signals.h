#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace orrery {

/// Blocks TERM, INT, HUP and USR1 in the calling thread and in all that it starts later, and
/// ignores PIPE. Call it first in main, before any thread exists.
void blockStopSignals();

/// Turns the signals that blockStopSignals blocked into a stop request.
///
/// The first one requests a stop on `stop` and is remembered; an INT after that ends the process
/// with status 130 at once, with nothing saved. One object a process.
class StopSignals {
public:
    explicit StopSignals(std::stop_source stop);
    /// Ends the waiting thread.
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// The number of the first signal, 0 if there was none. Any thread.
    int first() const { return m_first.load(); }

    /// The status to end with after the first signal: 130 for INT, 143 for TERM, ...; 0 if none.
    int exitStatus() const { return first() == 0 ? 0 : 128 + first(); }

private:
    void wait();

    std::stop_source m_stop;
    std::atomic<int> m_first{0};
    std::atomic<bool> m_ending{false};
    std::jthread m_thread;  // last: it uses the members above
};

}  // namespace orrery
