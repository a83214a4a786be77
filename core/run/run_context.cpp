#include "core/run/run_context.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "core/base/fault.h"
#include "core/base/sha256.h"
#include "core/history/workspace.h"
#include "core/run/code_version.h"
#include "core/run/run_kind.h"
#include "core/run/run_manifest.h"
#include "core/train/train.h"

namespace orrery {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPollPause{50};
constexpr std::chrono::milliseconds kLookPause{100};       // at commands of other processes
constexpr std::chrono::milliseconds kEndPatience{10'000};  // for a database in trouble
constexpr std::chrono::milliseconds kStopPatience{500};    // the same, once a stop was requested
constexpr std::size_t kHashBlock = 1 << 20;

/// The spec as history keeps it: the world's text is a file of the run.
RunSpec withoutWorldText(RunSpec spec) {
    const RunKind& kind = spec.job.kind();
    std::vector<WorldRef> worlds = kind.worlds(spec.job);
    for (WorldRef& world : worlds) world.text.reset();
    if (!worlds.empty()) kind.takeWorlds(spec.job, worlds);
    return spec;
}

/// SHA-256 and size of a file; an empty digest if stopped.
ArtefactRow hashed(const std::filesystem::path& path, const std::stop_token& stop) {
    ArtefactRow row;
    const FileDescriptor file = openFile(path, O_RDONLY | O_NOFOLLOW);
    if (!file) throwFileError("read", path, errno);
    Sha256 sha;
    std::vector<std::byte> block(kHashBlock);
    for (;;) {
        if (stop.stop_requested()) return row;
        const ssize_t count = readUpTo(file.get(), block);
        if (count < 0) throwFileError("read", path, errno);
        if (count == 0) break;
        sha.update(std::span(block).first(static_cast<std::size_t>(count)));
        row.bytes += static_cast<std::uint64_t>(count);
    }
    row.sha256 = sha.finishHex();
    return row;
}

}  // namespace

NewRun newRunOf(const RunSpec& spec) {
    return {.name = spec.name,
            .kind = spec.job.kind().name,
            .configJson = toJson(withoutWorldText(spec), -1),
            .codeVersion = codeVersion(),
            .seed = spec.seed,
            .note = spec.note};
}

RunContext::RunContext(const RunSpec& spec, RunOptions options, std::stop_source stop)
    : m_options(std::move(options)),
      m_feed(FeedOptions{.notify = m_options.notify, .overflowFile = {}}),
      m_keepsEvents(m_options.keepsEvents),
      m_stopSource(std::move(stop)) {
    const RunKind& kind = spec.job.kind();
    m_current.job = kind.firstSnapshot ? kind.firstSnapshot() : JobSnapshot(std::monostate());
    m_newRun = newRunOf(spec);
    m_newRun.parent = m_options.parent;
    m_newRun.tags = m_options.tags;
    if (m_options.workspace != nullptr) {
        m_writer = &m_options.workspace->writer();
        m_workspaceFolder = m_options.workspace->folder();
    }
}

std::string RunContext::id() const {
    const MutexLock lock(m_mutex);
    return m_current.id;
}

bool RunContext::command(RunCommand command) {
    return m_commands.tryPush(std::move(command));
}

void RunContext::store(const std::string& worldHash) {
    if (m_writer == nullptr) return;
    m_newRun.worldHash = worldHash;
    const DiskWait wait{.patience = m_options.diskPatience,
                        .stop = m_stop,
                        .whileFull = [this](const std::string& trouble) { block(trouble); }};
    std::string id = isResumed() ? m_options.resumedId : m_options.queuedId;
    if (id.empty()) id = m_writer->createRun(m_newRun, wait);
    // Durable before the first step: it shows that the run was begun.
    const std::vector<RunState> from = isResumed()
                                           ? std::vector{RunState::Interrupted, RunState::Stopped,
                                                         RunState::Failed, RunState::Diverged}
                                           : std::vector{RunState::Queued};
    if (!m_writer->changeState(id, from, RunState::Running, wait))
        throw Error("Run " + id +
                        (isResumed() ? " has not ended early: only then can it be resumed."
                                     : " waits no longer: it was cancelled or begun elsewhere."),
                    Error::Kind::Failed);
    unblock();
    writing([&] { m_folder = m_options.workspace->makeRunFolder(id); });
    m_sink = std::make_unique<HistorySink>(*m_writer, id, m_folder / "events.spill");
    {
        const MutexLock lock(m_boundaryMutex);
        m_others.emplace(m_folder);
    }
    {
        const MutexLock lock(m_mutex);
        m_current.id = id;
    }
    artefact("spec", "spec.json", m_newRun.configJson + "\n");
    publish(true);
}

void RunContext::emit(const RunEvent::Body& body) {
    if (m_sink != nullptr) m_sink->emit(body);
    if (!m_keepsEvents.load(std::memory_order_relaxed)) return;
    try {
        m_feed.emit(body);
    } catch (const Error&) {
        // Nobody fetches events and memory for them is used up; history still gets them all.
        m_keepsEvents.store(false);
    }
}

void RunContext::metric(std::int64_t step, const std::string& key, double value) {
    emit(RunEvent::Metric{.step = step, .key = key, .value = value});
}

void RunContext::message(MessageLevel level, const std::string& code, const std::string& text) {
    message({.level = level, .code = code, .text = text});
}

void RunContext::message(event::Message message) {
    emit(std::move(message));
}

void RunContext::setState(RunState state, const std::string& trouble) {
    noteState(state, trouble);
    emit(RunEvent::State{.newState = state});
    publish(true);
}

void RunContext::halt() {
    const MutexLock lock(m_boundaryMutex);
    m_singleSteps = 0;
    if (state() == RunState::Running) setState(RunState::Paused);
}

/// For the next snapshot only; history is not told.
void RunContext::noteState(RunState state, const std::string& trouble) {
    m_state.store(state);
    const MutexLock lock(m_mutex);
    m_current.trouble = trouble;
}

void RunContext::update(const std::function<void(JobSnapshot&)>& change) {
    {
        const MutexLock lock(m_mutex);
        change(m_current.job);
    }
    publish(false);
}

void RunContext::showProgress(const Progress& progress) {
    {
        const MutexLock lock(m_mutex);
        m_current.progress = progress;
    }
    publish(false);
}

std::int64_t RunContext::progress(const Progress& progress) {
    showProgress(progress);
    return boundary(progress.phase + (progress.level >= 0
                                          ? ", step " + std::to_string(progress.level)
                                          : std::string()));
}

void RunContext::publish(bool atOnce) {
    std::shared_ptr<RunSnapshot> snapshot;
    {
        const MutexLock lock(m_mutex);
        const auto now = std::chrono::steady_clock::now();
        const auto wanted = viewPause();
        const auto pause = wanted.count() > 0 ? wanted : m_options.snapshotPause;
        if (!atOnce && now - m_lastPublished < pause) return;
        m_lastPublished = now;
        m_current.state = m_state.load();
        m_current.seconds = std::chrono::duration<double>(now - m_begin).count();
        // Copied whole: a thousand levels take 1 us, a thousand steered changes 90 us.
        snapshot = std::make_shared<RunSnapshot>(m_current);
    }
    m_feed.publish(std::move(snapshot));
}

void RunContext::obey(const RunCommand& command, const std::string& where) {
    using Kind = RunCommand::Kind;
    if (command.kind == Kind::Set && m_obeys) return askJob(command);
    const bool isRefused =
        (command.kind == Kind::Set || command.kind == Kind::Checkpoint) && !m_obeys;
    message(commandMessage(command, where, isRefused));
    if (isRefused) return;
    if (command.kind == Kind::Pause && state() == RunState::Running)
        setState(RunState::Paused);
    else if (command.kind == Kind::Resume && state() == RunState::Paused)
        setState(RunState::Running);
    else if (command.kind == Kind::Step && state() == RunState::Paused)
        ++m_singleSteps;
    else if (command.kind == Kind::Cancel)
        m_stopSource.request_stop();
    else if (command.kind == Kind::Checkpoint)
        askJob(command);
}

void RunContext::askJob(const RunCommand& command) {
    m_obeys(command);
    m_isJobAsked = true;
}

/// Obeys what other processes left in the run's folder. Looks there at most every 100 ms.
void RunContext::obeyOthers(const std::string& where) {
    const auto now = Clock::now();
    if (!m_others || now < m_nextLook) return;
    m_nextLook = now + kLookPause;
    for (const CommandFile::Line& line : m_others->takeNew())
        if (line.command)
            obey(*line.command, where);
        else
            message(MessageLevel::Warning, "command.refused", line.problem);
}

std::int64_t RunContext::boundary(const std::string& where) {
    const MutexLock lock(m_boundaryMutex);
    while (const auto command = m_commands.tryPop()) obey(*command, where);
    obeyOthers(where);
    if (state() == RunState::Paused) publish(true);
    while (state() == RunState::Paused && !m_stop.stop_requested()) {
        if (m_isAsked && (std::exchange(m_isJobAsked, false) || m_isAsked())) return kCallAgain;
        if (m_singleSteps > 0) {
            --m_singleSteps;
            return 1;
        }
        if (const auto command = m_commands.popFor(kPollPause, m_stop)) obey(*command, where);
        obeyOthers(where);
    }
    // What was asked for before the stop.
    if (m_stop.stop_requested())
        while (const auto command = m_commands.tryPop()) obey(*command, where);
    m_isJobAsked = false;  // what goes on takes it at its next call
    if (m_sink != nullptr && m_writer->isDiskFull()) waitForDatabase();
    return 0;
}

void RunContext::block(const std::string& trouble) {
    if (state() == RunState::Blocked) return;
    message(MessageLevel::Warning, "disk.blocked", trouble);
    setState(RunState::Blocked, trouble);
}

void RunContext::unblock() {
    if (state() == RunState::Blocked) setState(isStored() ? RunState::Running : RunState::Queued);
}

void RunContext::waitForDatabase() {
    const auto deadline = Clock::now() + m_options.diskPatience;
    while (m_writer->isDiskFull() && !m_stop.stop_requested()) {
        const std::string trouble = m_writer->troubleText();
        if (Clock::now() >= deadline) throw DiskFullError(trouble);
        block(trouble);
        if (const auto command = m_commands.popFor(kPollPause, m_stop)) obey(*command, "writing");
    }
    if (!m_stop.stop_requested()) unblock();
}

void RunContext::writing(const std::function<void()>& write) {
    const auto deadline = Clock::now() + m_options.diskPatience;
    for (;;) {
        try {
            write();
            if (m_sink != nullptr && m_writer->isDiskFull()) {
                const MutexLock lock(m_boundaryMutex);
                waitForDatabase();
            } else if (!m_stop.stop_requested()) {  // else it may have written nothing
                unblock();
            }
            return;
        } catch (const DiskFullError& e) {
            if (m_stop.stop_requested() || Clock::now() >= deadline) throw;
            block(e.what());
        }
        if (const auto command = m_commands.popFor(m_options.diskRetryPause, m_stop)) {
            const MutexLock lock(m_boundaryMutex);
            obey(*command, "writing");
        }
    }
}

void RunContext::artefact(const std::string& kind, const std::string& name,
                          std::string_view content) {
    if (m_folder.empty()) return;
    writing([&] { atomicWrite(m_folder / name, content); });
    ArtefactRow row{.kind = kind,
                    .file = (m_folder / name).lexically_relative(m_workspaceFolder).string(),
                    .sha256 = sha256Hex(content),
                    .bytes = content.size()};
    m_files.push_back(row);
    emit(RunEvent::Artefact{row.kind, row.file, row.sha256, row.bytes});
}

bool RunContext::recordArtefact(const std::string& kind, const std::string& name) {
    ArtefactRow row = hashed(m_folder / name, m_stop);
    if (row.sha256.empty()) return false;
    row.kind = kind;
    row.file = (m_folder / name).lexically_relative(m_workspaceFolder).string();
    m_files.push_back(row);
    emit(RunEvent::Artefact{row.kind, row.file, row.sha256, row.bytes});
    return true;
}

void RunContext::writeManifest() {
    if (m_folder.empty()) return;
    faultPoint("run.manifest");
    artefact("manifest", "MANIFEST.json", manifestJson(id(), m_newRun, m_files));
}

RunOutcome RunContext::end(RunOutcome outcome) {
    m_commands.close();
    try {
        {
            const MutexLock lock(m_boundaryMutex);
            for (const RunCommand& command : m_commands.drain())
                if (command.kind == RunCommand::Kind::Cancel) obey(command, "the end");
        }
        if (outcome.state == RunState::Failed)
            emit(RunEvent::Failed{.text = outcome.text, .exitStatus = outcome.exitStatus});
        else
            emit(RunEvent::Finished{.endState = outcome.state, .summary = outcome.text});
    } catch (const Error& e) {
        outcome = {.state = RunState::Failed, .text = e.what(), .exitStatus = e.exitStatus()};
    }
    const std::string trouble = m_sink != nullptr ? waitForHistory() : std::string();
    if (!trouble.empty() && outcome.state != RunState::Failed) {
        if (m_stop.stop_requested())
            outcome = {.state = RunState::Stopped,
                       .text = outcome.text,
                       .exitStatus = 130,
                       .lost = trouble};
        else
            outcome = {.state = RunState::Failed,
                       .text = trouble,
                       .exitStatus = Error("", Error::Kind::Resource).exitStatus()};
    }
    noteState(outcome.state, outcome.state == RunState::Failed ? outcome.text : outcome.lost);
    publish(true);
    return outcome;
}

/// @return empty if the whole history is durable, else why not
std::string RunContext::waitForHistory() {
    m_sink->close();
    // All events have been told, so from here on the state is only shown. One that was stopped
    // while it waited for the disk does not go on.
    const RunState before = state();
    std::string troubleBefore;
    {
        const MutexLock lock(m_mutex);
        troubleBefore = m_current.trouble;
    }
    const auto fullDeadline = Clock::now() + std::max(kEndPatience, m_options.diskPatience);
    auto deadline = Clock::now() + kEndPatience;
    std::optional<Clock::time_point> stopDeadline;
    while (!m_sink->waitFor(kPollPause)) {
        const auto now = Clock::now();
        const std::string trouble = m_writer->troubleText();
        if (m_writer->isDiskFull()) {
            deadline = std::min(now + kEndPatience, fullDeadline);
            noteState(RunState::Blocked, trouble);
        } else if (trouble.empty()) {
            noteState(before, troubleBefore);
        }
        publish(false);
        if (m_stop.stop_requested() && !trouble.empty() && !stopDeadline)
            stopDeadline = now + kStopPatience;
        if (now >= deadline || (stopDeadline && now >= *stopDeadline)) break;
    }
    return m_sink->finish();
}

}  // namespace orrery
