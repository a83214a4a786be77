#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "core/base/error.h"
#include "core/base/event_queue.h"
#include "core/base/mutex.h"
#include "core/history/db_writer.h"

namespace orrery {

/// Carries the events of one run into the database on a thread of its own, so that a slow disk does
/// not slow the run: what the database does not take in time waits in the run's folder.
class HistorySink {
public:
    /// @param writer        must outlive the sink
    /// @param overflowFile  where waiting events go
    HistorySink(DbWriter& writer, std::string runId, const std::filesystem::path& overflowFile);
    /// Ends without waiting for a database that takes nothing.
    ~HistorySink();
    HistorySink(const HistorySink&) = delete;
    HistorySink& operator=(const HistorySink&) = delete;

    /// @throws Error (Damaged) once the database is known to be corrupt
    void emit(RunEvent::Body body);

    /// Waits until all events so far, and what this thread queued at the writer, are durable.
    /// @return false if they are not within `patience` or cannot be  @throws Error (Damaged)
    bool flush(std::chrono::milliseconds patience);

    /// No further events come. Never blocks.
    void close() { m_thread.request_stop(); }
    /// After close(): waits until all events are durable, for `patience` at most.
    /// @return false if they are not yet
    bool waitFor(std::chrono::milliseconds patience);
    /// After close(): ends the sink, durable or not. Call it once, as the last.
    /// @return empty if all events are durable, else why not
    std::string finish();

private:
    void pump(const std::stop_token& stop);
    void record(const std::vector<RunEvent>& events);
    bool recordOne(const RunEvent& event);
    void note(const Error& error);

    DbWriter& m_writer;
    const std::string m_runId;
    EventQueue m_queue;
    std::stop_source m_abort;  ///< ends waiting for the database
    Mutex m_mutex;
    std::condition_variable m_changed;  ///< what stands under the mutex
    std::optional<Error> m_error ORRERY_GUARDED_BY(m_mutex);
    std::uint64_t m_recorded ORRERY_GUARDED_BY(m_mutex) = 0;  ///< seq of the last event handed on
    bool m_hasEnded ORRERY_GUARDED_BY(m_mutex) = false;
    bool m_isDurable ORRERY_GUARDED_BY(m_mutex) = false;
    std::jthread m_thread;  // last: it uses the members above
};

}  // namespace orrery
