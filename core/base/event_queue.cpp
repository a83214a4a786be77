#include "core/base/event_queue.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

#include "core/base/crc32c.h"
#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::size_t kMemoryBytes = std::size_t{64} << 20U;
constexpr std::size_t kHeaderBytes = 8;  // length, CRC-32C of the rest

std::string recordOf(const RunEvent& event) {
    const std::string body = encodeEvent(event);
    const auto size = static_cast<std::uint32_t>(body.size());
    const std::uint32_t crc = crc32c(body);
    std::string record(kHeaderBytes, '\0');
    std::memcpy(record.data(), &size, 4);
    std::memcpy(record.data() + 4, &crc, 4);
    return record + body;
}

/// Decodes records up to the end or to the first broken one.
void appendRecords(std::string_view bytes, std::vector<RunEvent>& events) {
    while (bytes.size() >= kHeaderBytes) {
        std::uint32_t size = 0;
        std::uint32_t crc = 0;
        std::memcpy(&size, bytes.data(), 4);
        std::memcpy(&crc, bytes.data() + 4, 4);
        if (bytes.size() - kHeaderBytes < size) return;
        const std::string_view body = bytes.substr(kHeaderBytes, size);
        if (crc32c(body) != crc) return;
        if (auto event = decodeEvent(body)) events.push_back(std::move(*event));
        bytes.remove_prefix(kHeaderBytes + size);
    }
}

}  // namespace

EventQueue::EventQueue(FeedOptions options)
    : m_options(std::move(options)), m_queue(m_options.capacity) {}

EventQueue::~EventQueue() {
    if (m_spillFile && m_spillEnd == 0) ::unlink(m_options.overflowFile.c_str());
}

void EventQueue::notify() const {
    if (m_options.notify) m_options.notify();
}

std::uint64_t EventQueue::emit(RunEvent::Body body) {
    std::uint64_t seq = 0;
    {
        const MutexLock order(m_orderMutex);
        seq = ++m_lastSeq;
        RunEvent event{.seq = seq, .body = std::move(body)};
        const bool queued = !m_spilling.load(std::memory_order_acquire) &&
                            m_queue.pushFor(event, m_options.patience);
        if (!queued) {
            const MutexLock lock(m_spillMutex);
            // The consumer may have made room meanwhile.
            if (m_spilling.load(std::memory_order_relaxed) || !m_queue.tryPush(event)) spill(event);
        }
    }
    notify();
    return seq;
}

std::uint64_t EventQueue::lastSeq() const {
    const MutexLock order(m_orderMutex);
    return m_lastSeq;
}

void EventQueue::spill(const RunEvent& event) {
    const std::string record = recordOf(event);
    if (!m_memory.empty() || !spillToFile(record)) {
        if (m_memory.size() + record.size() > kMemoryBytes)
            throw Error("Events of this run can neither be fetched nor kept: '" +
                            escaped(m_options.overflowFile.native()) +
                            "' cannot be written and 64 MiB of memory are full. Free some space "
                            "on this disk and start again.",
                        Error::Kind::Resource);
        m_memory += record;
    }
    m_spilling.store(true, std::memory_order_release);
    m_spilledCount.fetch_add(1, std::memory_order_relaxed);
}

bool EventQueue::spillToFile(const std::string& record) {
    if (m_options.overflowFile.empty()) return false;
    if (!m_spillFile) {
        m_spillFile =
            openFile(m_options.overflowFile, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
        m_spillEnd = 0;
    }
    if (!m_spillFile) return false;
    const auto end = static_cast<off_t>(m_spillEnd);
    if (::lseek(m_spillFile.get(), end, SEEK_SET) != end) return false;
    // A torn record stays behind the end and is written over by the next one.
    if (writeAll(m_spillFile.get(), std::as_bytes(std::span(record))) != 0) return false;
    m_spillEnd += record.size();
    return true;
}

void EventQueue::readSpill(std::vector<RunEvent>& events) {
    if (m_spillEnd > 0) {
        std::string content(m_spillEnd, '\0');
        if (::lseek(m_spillFile.get(), 0, SEEK_SET) != 0 ||
            readUpTo(m_spillFile.get(), std::as_writable_bytes(std::span(content))) !=
                static_cast<ssize_t>(content.size()))
            throwFileError("read", m_options.overflowFile, errno);
        appendRecords(content, events);
        m_spillEnd = 0;
        // Should this fail, the bytes only take up room: the next record is written at 0.
        if (::ftruncate(m_spillFile.get(), 0) != 0) errno = 0;
    }
    appendRecords(m_memory, events);
    m_memory = {};
}

std::vector<RunEvent> EventQueue::drain() {
    if (!m_spilling.load(std::memory_order_acquire)) return m_queue.drain();
    const MutexLock lock(m_spillMutex);
    std::vector<RunEvent> spilled;
    readSpill(spilled);  // first: it may throw, and then the queue still has its part
    std::vector<RunEvent> events = m_queue.drain();  // all older than what was spilled
    events.insert(events.end(), std::make_move_iterator(spilled.begin()),
                  std::make_move_iterator(spilled.end()));
    m_spilling.store(false, std::memory_order_release);
    return events;
}

std::vector<RunEvent> EventQueue::drainFor(std::chrono::milliseconds patience,
                                           const std::stop_token& stop) {
    std::optional<RunEvent> first;
    if (!m_spilling.load(std::memory_order_acquire)) first = m_queue.popFor(patience, stop);
    std::vector<RunEvent> events = drain();
    if (first) events.insert(events.begin(), std::move(*first));
    return events;
}

}  // namespace orrery
