#include "core/history/db_writer.h"

#include <algorithm>
#include <condition_variable>
#include <optional>
#include <utility>

#include "core/base/atomic_write.h"
#include "core/base/bounded_queue.h"
#include "core/base/text.h"
#include "core/history/writer_connection.h"

namespace orrery {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kPassivePages = 1000;
constexpr int kTruncatePages = 16384;  // 64 MiB of 4 KiB pages
constexpr milliseconds kPollPause{50};
constexpr milliseconds kLastMoment{500}, kRetakePause{1};
constexpr std::chrono::minutes kDeletionPatience{30};  ///< of millions of rows

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

event::Message stateMessage(RunState state) {
    return {.level = MessageLevel::Info, .code = "state", .text = std::string(nameOf(state))};
}

/// The row, if any, that stores an event.
std::optional<WriterItem> itemOf(const std::string& run, const RunEvent& event) {
    if (const auto* const metric = std::get_if<event::Metric>(&event.body))
        return MetricItem{run, *metric};
    if (const auto* const message = std::get_if<event::Message>(&event.body))
        return EventItem{run, *message, std::nullopt};
    if (const auto* const state = std::get_if<event::State>(&event.body))
        return EventItem{run, stateMessage(state->newState), state->newState};
    if (const auto* const artefact = std::get_if<event::Artefact>(&event.body))
        return ArtefactItem{run,
                            {artefact->kind, artefact->file, artefact->sha256, artefact->bytes}};
    if (const auto* const failed = std::get_if<event::Failed>(&event.body))
        return EventItem{run, {MessageLevel::Error, "failed", failed->text}, RunState::Failed};
    if (const auto* const finished = std::get_if<event::Finished>(&event.body))
        return EventItem{
            run,
            {MessageLevel::Info, std::string(nameOf(finished->endState)), finished->summary},
            finished->endState};
    return std::nullopt;
}

std::vector<WriterItem> roomFor(std::size_t items) {
    std::vector<WriterItem> room;
    room.reserve(items);
    return room;
}

}  // namespace

struct DbWriter::Impl {
    Impl(std::filesystem::path databaseFile, Options itsOptions)
        : file(std::move(databaseFile)),
          options(std::move(itsOptions)),
          queue(options.queueRows),
          connection(std::make_unique<WriterConnection>(file)),
          batchesCommitted(connection->lastBatch()),
          thread([this](const std::stop_token& stop) { loop(stop); }) {}

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
    void compact(const std::stop_token& stop);
    void tell(WriterTrouble::Kind kind, const std::string& text) const;
    std::string trouble() const;
    void setTrouble(const std::string& text);
    [[noreturn]] void throwDamaged() const { throw Error(trouble(), Error::Kind::Damaged); }

    bool push(WriterItem item, const std::stop_token& stop);
    void request(std::function<void(Database&)> action, const DiskWait& wait,
                 milliseconds workPatience = {});
    static bool takeBack(std::atomic<RequestState>& state, const std::future<void>& done);
    bool await(RequestItem item, milliseconds patience, const std::stop_token& stop,
               const DiskWait& wait, milliseconds workPatience = {});

    const std::filesystem::path file;
    const Options options;
    BoundedQueue<WriterItem> queue;
    std::atomic<bool> damaged{false};
    std::atomic<bool> diskFull{false};

    mutable std::mutex troubleMutex;
    std::string troubleText;  // guarded by troubleMutex

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

void DbWriter::Impl::loop(const std::stop_token& stop) {
    while (true) {
        std::optional<WriterItem> first = queue.popFor(options.batchTime);
        if (first) {
            gather(std::move(*first));
            writeUntilDone(gathered, stop);
            gathered.clear();
            checkpoint(false);
        } else if (queue.closed()) {
            return;
        } else {
            compact(stop);
            checkpoint(true);
        }
    }
}

/// While no row comes: what has ended takes less room. After a fault the next batch meets it again
/// and reports it.
void DbWriter::Impl::compact(const std::stop_token& stop) {
    if (!connection || damaged.load() || blocked || !isCompacting) return;
    try {
        while (!stop.stop_requested() && queue.size() == 0) {
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
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any stopped;
    stopped.wait_for(lock, stop, options.retryPause, [] { return false; });
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
    const std::lock_guard lock(troubleMutex);
    return troubleText;
}

void DbWriter::Impl::setTrouble(const std::string& text) {
    const std::lock_guard lock(troubleMutex);
    troubleText = text;
}

bool DbWriter::Impl::push(WriterItem item, const std::stop_token& stop) {
    const bool taken = queue.push(item, stop);
    if (!taken && damaged.load()) throwDamaged();
    return taken;
}

/// Takes a request back whose caller waits no longer. What is just being written is waited for, a
/// moment at most: a disk may never answer. @return false if it has been done
bool DbWriter::Impl::takeBack(std::atomic<RequestState>& state, const std::future<void>& done) {
    const Clock::time_point end = Clock::now() + kLastMoment;
    while (!become(state, RequestState::Waiting, RequestState::TakenBack)) {
        if (done.wait_for(kRetakePause) == std::future_status::ready) return false;
        if (Clock::now() >= end) {
            state.store(RequestState::TakenBack);  // not tried again
            break;
        }
    }
    return true;
}

/// @return false if it is not done within `patience` or stopped
/// @param workPatience  while the writer is at work without any trouble, if that is longer
bool DbWriter::Impl::await(RequestItem item, milliseconds patience, const std::stop_token& stop,
                           const DiskWait& wait, milliseconds workPatience) {
    const Clock::time_point fullDeadline = Clock::now() + patience + wait.patience;
    const Clock::time_point workDeadline = Clock::now() + std::max(patience, workPatience);
    Clock::time_point deadline = Clock::now() + patience;
    std::future<void> done = item.done->get_future();
    const std::shared_ptr<std::atomic<RequestState>> state = item.state;
    WriterItem queued(std::move(item));
    bool isQueued = false;
    while (!isQueued || done.wait_for(kPollPause) != std::future_status::ready) {
        if (diskFull.load()) {
            // Patience for all other troubles begins anew once there is space.
            deadline = std::min(Clock::now() + patience, fullDeadline);
            if (wait.whileFull) wait.whileFull(trouble());
        }
        const bool isAtWork = trouble().empty();
        if (stop.stop_requested() ||
            Clock::now() >= (isAtWork ? std::max(workDeadline, deadline) : deadline) ||
            (wait.stop.stop_requested() && !isAtWork)) {
            if (takeBack(*state, done)) return false;
            break;
        }
        if (isQueued) continue;
        isQueued = queue.pushFor(queued, std::min(patience, kPollPause), stop);
        if (!isQueued && damaged.load()) throwDamaged();
        if (!isQueued && queue.closed()) return false;
    }
    done.get();
    return true;
}

void DbWriter::Impl::request(std::function<void(Database&)> action, const DiskWait& wait,
                             milliseconds workPatience) {
    if (await({.action = std::move(action)}, options.requestPatience, {}, wait, workPatience))
        return;
    const std::string why = trouble();
    if (diskFull.load()) throw DiskFullError(why);
    throw Error(why.empty() ? "Database '" + escaped(file.native()) +
                                  "' did not answer in time. Try again when the disk is less busy."
                            : why,
                Error::Kind::Resource);
}

DbWriter::DbWriter(std::filesystem::path databaseFile, Options options)
    : m_impl(std::make_unique<Impl>(std::move(databaseFile), std::move(options))) {}

DbWriter::~DbWriter() {
    m_impl->thread.request_stop();
    m_impl->queue.close();
    m_impl->thread.join();
}

std::string DbWriter::createRun(const NewRun& run, const DiskWait& wait) {
    const auto id = std::make_shared<std::string>();
    const auto insertRun = [run, id](Database& database) {
        const std::int64_t ordinal =
            1 + database.integer("SELECT seq FROM sqlite_sequence WHERE name='run'").value_or(0);
        const std::string digits = std::to_string(ordinal);
        *id = "r" + std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits;
        Statement insert = database.prepare(
            "INSERT INTO run(ordinal, id, name, parent, state, config_json, world_hash, "
            "code_version, seed, created_utc, note, kind) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
            "?, ?)");
        insert.bind(1, ordinal).bind(2, *id).bind(3, run.name);
        if (!run.parent.empty()) {
            Statement parent = database.prepare("SELECT 1 FROM run WHERE id=?");
            if (!parent.bind(1, run.parent).step())
                throw Error("There is no run '" + escaped(run.parent) +
                                "' to be the parent of a new one. `orrery ls` lists the runs.",
                            Error::Kind::BadInput);
            insert.bind(4, run.parent);
        }
        insert.bind(5, nameOf(RunState::Queued)).bind(6, run.configJson).bind(7, run.worldHash);
        insert.bind(8, run.codeVersion).bind(9, static_cast<std::int64_t>(run.seed));
        insert.bind(10, utcNow()).bind(11, run.note).bind(12, run.kind).run();
        if (!run.tags.empty()) {
            const RunEdit edit{.run = *id, .tags = run.tags};
            applyEdits(database, std::span(&edit, 1));
        }
    };
    m_impl->request(insertRun, wait);
    return *id;
}

bool DbWriter::changeState(const std::string& runId, std::span<const RunState> from, RunState to,
                           const DiskWait& wait) {
    const auto changed = std::make_shared<bool>(false);
    std::string list;
    for (const RunState state : from)
        list += (list.empty() ? "'" : ",'") + std::string(nameOf(state)) + "'";
    const auto update = [=](Database& database) {
        Statement statement = database.prepare(stateUpdateSql() + "state IN (" + list + ")");
        statement.bind(1, nameOf(to)).bind(3, runId);
        if (!isLive(to)) statement.bind(2, utcNow());
        statement.run();
        *changed = database.changes() == 1;
    };
    m_impl->request(update, wait);
    return *changed;
}

void DbWriter::editRuns(std::span<const RunEdit> edits, const DiskWait& wait) {
    const std::vector<RunEdit> own(edits.begin(), edits.end());
    m_impl->request([own](Database& database) { applyEdits(database, own); }, wait);
}

void DbWriter::deleteRows(std::span<const std::string> runIds, const DiskWait& wait) {
    const std::vector<std::string> own(runIds.begin(), runIds.end());
    m_impl->request([own](Database& database) { deleteRunRows(database, own); }, wait,
                    kDeletionPatience);
}

bool DbWriter::record(const std::string& runId, const RunEvent& event,
                      const std::stop_token& stop) {
    std::optional<WriterItem> item = itemOf(runId, event);
    return !item || m_impl->push(std::move(*item), stop);
}

bool DbWriter::addArtefact(const std::string& runId, ArtefactRow row, const std::stop_token& stop) {
    return m_impl->push(ArtefactItem{runId, std::move(row)}, stop);
}

bool DbWriter::addCheckpoint(const std::string& runId, CheckpointRow row,
                             const std::stop_token& stop) {
    return m_impl->push(CheckpointItem{runId, std::move(row)}, stop);
}

void DbWriter::removeCheckpoint(const std::string& runId, std::int64_t generation,
                                const DiskWait& wait) {
    m_impl->request(
        [=](Database& database) {
            database.prepare("DELETE FROM checkpoint WHERE run=? AND gen=?")
                .bind(1, runId)
                .bind(2, generation)
                .run();
        },
        wait);
}

void DbWriter::supersedeMetrics(const std::string& runId, std::int64_t step, const DiskWait& wait) {
    m_impl->request([=](Database& database) { supersedePoints(database, runId, step); }, wait);
}

bool DbWriter::flush(milliseconds patience, const std::stop_token& stop) {
    return m_impl->await({}, patience, stop, {});
}

std::string DbWriter::troubleText() const {
    return m_impl->trouble();
}

bool DbWriter::isDiskFull() const {
    return m_impl->diskFull.load(std::memory_order_relaxed);
}

}  // namespace orrery
