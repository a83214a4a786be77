#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "core/base/bounded_queue.h"
#include "core/base/file_descriptor.h"
#include "core/base/mutex.h"
#include "core/base/run_event.h"

namespace orrery {

struct FeedOptions {
    /// Called after every event and snapshot, on the emitting thread; must not block or throw.
    std::function<void()> notify{};
    /// Where events go that nobody fetches in time; empty: they stay in memory.
    std::filesystem::path overflowFile{};
    std::size_t capacity = 65536;             ///< events in the queue
    std::chrono::milliseconds patience{100};  ///< wait of a producer before it spills
};

/// The events of one run on their way to one consumer, in order and without loss.
///
/// A full queue blocks its producer for `patience`; from then on events go to the overflow file, at
/// once, until the consumer has fetched everything. Where the file cannot be written they are kept
/// in memory, up to 64 MiB. Producers: any threads. Consumer: one thread at a time.
class EventQueue {
public:
    explicit EventQueue(FeedOptions options);
    /// Removes the overflow file if its events were fetched.
    ~EventQueue();
    EventQueue(const EventQueue&) = delete;
    EventQueue& operator=(const EventQueue&) = delete;

    /// @return the event's seq
    /// @throws Error (Resource) if neither file nor memory can take the event
    std::uint64_t emit(RunEvent::Body body);

    /// The seq of the newest event, 0 before the first. Waits for a producer that waits.
    std::uint64_t lastSeq() const;

    /// All events since the last call, oldest first. Never waits for producers.
    std::vector<RunEvent> drain();

    /// Like drain(), but waits up to `patience` for a first event.
    std::vector<RunEvent> drainFor(std::chrono::milliseconds patience,
                                   const std::stop_token& stop = {});

    /// Events that took the way through the overflow, so far.
    std::uint64_t spilled() const { return m_spilledCount.load(std::memory_order_relaxed); }

private:
    void spill(const RunEvent& event) ORRERY_REQUIRES(m_spillMutex);
    bool spillToFile(const std::string& record) ORRERY_REQUIRES(m_spillMutex);
    void readSpill(std::vector<RunEvent>& events) ORRERY_REQUIRES(m_spillMutex);
    void notify() const;

    const FeedOptions m_options;
    BoundedQueue<RunEvent> m_queue;
    std::atomic<std::uint64_t> m_spilledCount{0};
    std::atomic<bool> m_spilling{false};  // written under m_spillMutex

    mutable Mutex m_orderMutex;  // producers only: seq and queue have the same order
    std::uint64_t m_lastSeq ORRERY_GUARDED_BY(m_orderMutex) = 0;

    Mutex m_spillMutex;  // held for one record or one read, never while waiting
    FileDescriptor m_spillFile ORRERY_GUARDED_BY(m_spillMutex);
    std::uint64_t m_spillEnd ORRERY_GUARDED_BY(m_spillMutex) = 0;
    /// Records that the file did not take; later than those in it.
    std::string m_memory ORRERY_GUARDED_BY(m_spillMutex);
};

}  // namespace orrery
