#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/bounded_queue.h"
#include "core/base/error.h"
#include "core/base/mutex.h"
#include "core/history/db_writer.h"
#include "core/history/writer_connection.h"

namespace orrery {

/// Callers meet the writing thread here: db_writer.cpp has what they call, db_writer_thread.cpp
/// what the thread does.
struct DbWriter::Impl {
    using Clock = std::chrono::steady_clock;

    static constexpr std::chrono::milliseconds kPollPause{50};

    Impl(std::filesystem::path databaseFile, Options itsOptions)
        : file(std::move(databaseFile)),
          options(std::move(itsOptions)),
          queue(options.queueRows),
          connection(std::make_unique<WriterConnection>(file)),
          batchesCommitted(connection->lastBatch()),
          thread([this](const std::stop_token& stop) { loop(stop); }) {}

    // db_writer_thread.cpp
    void loop(const std::stop_token& stop);
    void gather(WriterItem first);
    void writeUntilDone(const std::vector<WriterItem>& batch, const std::stop_token& stop);
    bool tryWrite(const std::vector<WriterItem>& batch);
    bool wroteBeforeFault(WriterConnection& opened, const std::vector<WriterItem>& batch);
    void pause(const std::stop_token& stop) const;
    void acknowledge(const std::vector<WriterItem>& batch, const BatchResult& result);
    void block(const Error& error, bool isFull);
    void giveUp(const std::vector<WriterItem>& batch, WriterTrouble::Kind kind,
                const std::string& text);
    void failWaiting(const std::vector<WriterItem>& batch, const Error& error) const;
    void checkpoint(bool idle);
    void compactWhile(const std::function<bool()>& mayGoOn);
    void tell(WriterTrouble::Kind kind, const std::string& text) const;
    static std::vector<WriterItem> roomFor(std::size_t items);
    std::string trouble() const;
    void setTrouble(const std::string& text);
    [[noreturn]] void throwDamaged() const { throw Error(trouble(), Error::Kind::Damaged); }

    // db_writer.cpp
    bool push(WriterItem item, const std::stop_token& stop);
    void request(std::function<void(Database&)> action, const DiskWait& wait,
                 std::chrono::milliseconds workPatience = {});
    static bool takeBack(std::atomic<RequestState>& state, const std::future<void>& done);
    bool await(RequestItem item, std::chrono::milliseconds patience, const std::stop_token& stop,
               const DiskWait& wait, std::chrono::milliseconds workPatience = {});

    const std::filesystem::path file;
    const Options options;
    BoundedQueue<WriterItem> queue;
    std::atomic<bool> damaged{false};
    std::atomic<bool> diskFull{false};

    mutable Mutex troubleMutex;
    std::string troubleText ORRERY_GUARDED_BY(troubleMutex);

    // Only the thread uses the rest after construction.
    std::unique_ptr<WriterConnection> connection;  // null while it cannot be opened again
    std::int64_t batchesCommitted;
    Commit totals;
    /// Of the batch at hand. Has room for batchRows, so that what was taken is never lost.
    std::vector<WriterItem> gathered = roomFor(options.batchRows);
    bool blocked = false;
    bool logWasWritten = false;
    bool isCompacting = true;
    std::optional<Clock::time_point> endDeadline;

    std::jthread thread;  // last: it uses the members above
};

}  // namespace orrery
