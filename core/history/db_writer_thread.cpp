#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/stoppable_sleep.h"
#include "core/base/text.h"
#include "core/history/curve_chunk.h"
#include "core/history/database.h"
#include "core/history/db_writer_impl.h"

// What the thread of DbWriter does: batches, faults, the log.

namespace orrery {

namespace {

constexpr int kPassivePages = 1000;
constexpr int kTruncatePages = 16384;                // 64 MiB of 4 KiB pages
constexpr std::chrono::milliseconds kTidyTime{250};  // once no more rows will come

/// True if the item shall not wait for others.
bool isUrgent(const WriterItem& item) {
    if (std::holds_alternative<RequestItem>(item)) return true;
    const auto* const event = std::get_if<EventItem>(&item);
    return event != nullptr && event->newState.has_value();
}

std::ptrdiff_t rowsIn(const std::vector<WriterItem>& items) {
    return std::ranges::count_if(
        items, [](const auto& item) { return !std::holds_alternative<RequestItem>(item); });
}

}  // namespace

std::vector<WriterItem> DbWriter::Impl::roomFor(std::size_t items) {
    std::vector<WriterItem> room;
    room.reserve(items);
    return room;
}

void DbWriter::Impl::loop(const std::stop_token& stop) {
    while (true) {
        std::optional<WriterItem> first = queue.popFor(options.batchTime);
        if (first) {
            gather(std::move(*first));
            writeUntilDone(gathered, stop);
            gathered.clear();
            checkpoint(false);
        } else if (queue.closed()) {
            // A short run is left to the next idle moment: its end waits for nothing.
            if (totals.metricRowsTotal >= kChunkPoints)
                compactWhile([end = Clock::now() + kTidyTime] { return Clock::now() < end; });
            return;
        } else {
            compactWhile([&] { return !stop.stop_requested() && queue.size() == 0; });
            checkpoint(true);
        }
    }
}

/// What has ended takes less room. After a fault the next batch meets it again and reports it.
void DbWriter::Impl::compactWhile(const std::function<bool()>& mayGoOn) {
    if (!connection || damaged.load() || blocked || !isCompacting) return;
    try {
        while (mayGoOn()) {
            if (!connection->compactSome()) {
                isCompacting = false;  // until something is written again
                return;
            }
            logWasWritten = true;
            checkpoint(false);
            if (!connection) return;
        }
    } catch (const std::exception&) {
        connection.reset();
    }
}

void DbWriter::Impl::gather(WriterItem first) {
    const Clock::time_point deadline = Clock::now() + options.batchTime;
    gathered.push_back(std::move(first));
    while (gathered.size() < options.batchRows && !isUrgent(gathered.back())) {
        std::optional<WriterItem> next = queue.popUntil(deadline);
        if (!next) break;
        gathered.push_back(std::move(*next));
    }
}

void DbWriter::Impl::writeUntilDone(const std::vector<WriterItem>& batch,
                                    const std::stop_token& stop) {
    while (!tryWrite(batch)) {
        if (stop.stop_requested() && !endDeadline) endDeadline = Clock::now() + options.endPatience;
        if (endDeadline && Clock::now() >= *endDeadline) {
            giveUp(batch, WriterTrouble::Kind::Lost, trouble());
            return;
        }
        pause(stop);
    }
}

/// Between two tries; shorter once the writer is to end.
void DbWriter::Impl::pause(const std::stop_token& stop) const {
    if (stop.stop_requested()) {
        std::this_thread::sleep_for(kPollPause);
        return;
    }
    sleepUnlessStopped(options.retryPause, stop);
}

/// @return true if the batch is written, or will never be; false to try again
bool DbWriter::Impl::tryWrite(const std::vector<WriterItem>& batch) {
    try {
        if (!connection) {
            auto opened = std::make_unique<WriterConnection>(file);
            const bool written = wroteBeforeFault(*opened, batch);
            connection = std::move(opened);  // not before it has told what arrived
            if (written) return true;
        }
        const BatchResult result = connection->write(batch);
        ++batchesCommitted;
        acknowledge(batch, result);
        return true;
    } catch (const DatabaseError& e) {
        if (e.fault() == DbFault::Corrupt) {
            giveUp(batch, WriterTrouble::Kind::Damaged, e.what());
            return true;
        }
        block(e, e.fault() == DbFault::Full);
    } catch (const Error& e) {
        block(e, false);
    } catch (const std::exception& e) {  // out of memory
        block(Error("Database '" + escaped(file.native()) + "': " + e.what() +
                        ". Close other programs to free memory.",
                    Error::Kind::Resource),
              false);
    }
    // After a fault neither the connection nor a repeated sync can be trusted: a new connection
    // reads what really arrived.
    connection.reset();
    return false;
}

/// True if a fault came after the commit had arrived. What it wrote may be in memory only, so it
/// counts once the log has been moved into the database and synced there.
bool DbWriter::Impl::wroteBeforeFault(WriterConnection& opened,
                                      const std::vector<WriterItem>& batch) {
    const std::int64_t stored = opened.lastBatch();
    if (stored <= batchesCommitted) return false;
    opened.checkpoint(true);
    batchesCommitted = stored;
    BatchResult result;
    for (const WriterItem& item : batch) {
        if (std::holds_alternative<MetricItem>(item)) ++result.metricRows;
        if (std::holds_alternative<EventItem>(item)) ++result.eventRows;
    }
    acknowledge(batch, result);
    return true;
}

void DbWriter::Impl::acknowledge(const std::vector<WriterItem>& batch, const BatchResult& result) {
    logWasWritten = isCompacting = true;
    if (blocked) {
        blocked = false;
        setTrouble("");
        diskFull.store(false);
        tell(WriterTrouble::Kind::Recovered, "The workspace is written again; nothing was lost.");
    }
    for (const std::string& text : result.rejected) tell(WriterTrouble::Kind::Rejected, text);
    totals.metricRows = result.metricRows;
    totals.eventRows = result.eventRows;
    totals.metricRowsTotal += result.metricRows;
    totals.eventRowsTotal += result.eventRows;
    if (options.onCommit) options.onCommit(totals);
    // Last, so that who waited for the batch finds everything told of it.
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const auto* const request = std::get_if<RequestItem>(&batch[i]);
        if (request == nullptr) continue;
        const auto failure = result.failedRequests.find(i);
        if (failure == result.failedRequests.end())
            request->done->set_value();
        else
            request->done->set_exception(failure->second);
    }
}

void DbWriter::Impl::block(const Error& error, bool isFull) {
    setTrouble(error.what());
    diskFull.store(isFull);
    if (blocked) return;
    blocked = true;
    tell(WriterTrouble::Kind::Blocked,
         std::string(error.what()) + " What is to be saved waits in memory meanwhile.");
}

void DbWriter::Impl::giveUp(const std::vector<WriterItem>& batch, WriterTrouble::Kind kind,
                            const std::string& text) {
    setTrouble(text);
    diskFull.store(false);
    if (kind == WriterTrouble::Kind::Damaged) damaged.store(true);
    queue.close();
    std::vector<WriterItem> rest = queue.drain();
    const std::string lost = std::to_string(rowsIn(batch) + rowsIn(rest)) +
                             " rows at the end of the history are not stored. ";
    const Error error(lost + text, kind == WriterTrouble::Kind::Damaged ? Error::Kind::Damaged
                                                                        : Error::Kind::Resource);
    failWaiting(batch, error);
    failWaiting(rest, error);
    tell(kind, error.what());
}

void DbWriter::Impl::failWaiting(const std::vector<WriterItem>& batch, const Error& error) const {
    for (const WriterItem& item : batch)
        if (const auto* const request = std::get_if<RequestItem>(&item))
            request->done->set_exception(std::make_exception_ptr(error));
}

/// @param idle true if no row came for a while
void DbWriter::Impl::checkpoint(bool idle) {
    if (!connection || damaged.load() || !logWasWritten) return;
    const int pages = connection->walPages();
    try {
        if (idle || pages > kTruncatePages) {
            logWasWritten = false;
            connection->checkpoint(true);
        } else if (pages >= kPassivePages) {
            connection->checkpoint(false);
        }
    } catch (const std::exception&) {
        // The rows are safe in the log; the next batch meets the fault again and reports it.
        connection.reset();
    }
}

void DbWriter::Impl::tell(WriterTrouble::Kind kind, const std::string& text) const {
    if (options.onTrouble) options.onTrouble({kind, text});
}

std::string DbWriter::Impl::trouble() const {
    const MutexLock lock(troubleMutex);
    return troubleText;
}

void DbWriter::Impl::setTrouble(const std::string& text) {
    const MutexLock lock(troubleMutex);
    troubleText = text;
}

}  // namespace orrery
