#include "core/run/history_sink.h"

#include <new>
#include <thread>

namespace orrery {

namespace {

constexpr std::chrono::milliseconds kDrainPause{500};
constexpr std::chrono::milliseconds kMemoryPause{50};
constexpr int kMemoryTries = 20;

Error outOfMemory() {
    return Error(
        "Memory ran out while the run was stored. Close other programs; the run can be resumed "
        "from its last checkpoint.",
        Error::Kind::Resource);
}

}  // namespace

HistorySink::HistorySink(DbWriter& writer, std::string runId,
                         const std::filesystem::path& overflowFile)
    : m_writer(writer),
      m_runId(std::move(runId)),
      m_queue(FeedOptions{.notify = {}, .overflowFile = overflowFile}),
      m_thread([this](const std::stop_token& stop) { pump(stop); }) {}

HistorySink::~HistorySink() {
    m_abort.request_stop();
}

void HistorySink::emit(RunEvent::Body body) {
    {
        const MutexLock lock(m_mutex);
        if (m_error) throw Error(*m_error);
    }
    m_queue.emit(std::move(body));
}

bool HistorySink::flush(std::chrono::milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    const std::uint64_t last = m_queue.lastSeq();
    {
        MutexLock lock(m_mutex);
        const auto isHandedOn = [&]() ORRERY_REQUIRES(m_mutex) {
            return m_recorded >= last || m_error || m_hasEnded;
        };
        if (!m_changed.wait_until(lock.native(), deadline, isHandedOn) || m_recorded < last)
            return false;
    }
    const auto left = deadline - std::chrono::steady_clock::now();
    return m_writer.flush(std::chrono::ceil<std::chrono::milliseconds>(left));
}

bool HistorySink::waitFor(std::chrono::milliseconds patience) {
    MutexLock lock(m_mutex);
    return m_changed.wait_for(lock.native(), patience,
                              [this]() ORRERY_REQUIRES(m_mutex) { return m_hasEnded; });
}

std::string HistorySink::finish() {
    m_abort.request_stop();
    m_thread.join();
    const MutexLock lock(m_mutex);
    if (m_error) return m_error->what();
    if (m_isDurable) return {};
    const std::string trouble = m_writer.troubleText();
    return trouble.empty() ? "The history was not written in time." : trouble;
}

void HistorySink::pump(const std::stop_token& stop) {
    bool isDurable = false;
    try {
        while (!stop.stop_requested()) record(m_queue.drainFor(kDrainPause, stop));
        record(m_queue.drain());
        isDurable = m_writer.flush(std::chrono::hours(24 * 365), m_abort.get_token());
    } catch (const Error& e) {
        note(e);
    } catch (const std::bad_alloc&) {
        note(outOfMemory());
    }
    {
        const MutexLock lock(m_mutex);
        m_isDurable = isDurable && !m_error && !m_abort.stop_requested();
        m_hasEnded = true;
    }
    m_changed.notify_all();
}

void HistorySink::record(const std::vector<RunEvent>& events) {
    try {
        for (const RunEvent& event : events)
            if (!recordOne(event)) return;
        if (events.empty()) return;
        {
            const MutexLock lock(m_mutex);
            m_recorded = events.back().seq;
        }
        m_changed.notify_all();
    } catch (const Error& e) {
        note(e);
    }
}

/// Waits a moment where there is no memory: no event is left out for that.
bool HistorySink::recordOne(const RunEvent& event) {
    for (int tries = 1;; ++tries) {
        try {
            return m_writer.record(m_runId, event, m_abort.get_token());
        } catch (const std::bad_alloc&) {
            if (tries == kMemoryTries) throw outOfMemory();
        }
        std::this_thread::sleep_for(kMemoryPause);
    }
}

void HistorySink::note(const Error& error) {
    const MutexLock lock(m_mutex);
    if (!m_error) m_error = error;
}

}  // namespace orrery
