#include "core/history/db_writer.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/atomic_write.h"
#include "core/base/text.h"
#include "core/history/database.h"
#include "core/history/db_writer_impl.h"

// What callers of DbWriter do: rows into the queue, requests that wait.

namespace orrery {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLastMoment{500}, kRetakePause{1};
constexpr std::chrono::minutes kDeletionPatience{30};  ///< of millions of rows

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

}  // namespace

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
