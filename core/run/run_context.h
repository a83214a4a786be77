#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/atomic_write.h"
#include "core/base/bounded_queue.h"
#include "core/base/feed.h"
#include "core/base/mutex.h"
#include "core/history/db_writer.h"
#include "core/history/records.h"
#include "core/run/command.h"
#include "core/run/command_file.h"
#include "core/run/history_sink.h"
#include "core/run/run.h"
#include "core/run/snapshot.h"

namespace orrery {

/// What history keeps of a run from its birth on; the world's hash and text are not in it.
NewRun newRunOf(const RunSpec& spec);

/// What a job works with: where its events, snapshots and files go, and the commands that it obeys.
/// The same for every system. Created by the thread that starts the run; afterwards everything that
/// is not said to be for any thread belongs to the worker and the callbacks it waits for.
class RunContext {
public:
    /// @param stop  ends the run; a cancel from another process requests it too
    RunContext(const RunSpec& spec, RunOptions options, std::stop_source stop);

    // For any thread.
    Feed<RunSnapshot>& feed() { return m_feed; }
    RunState state() const { return m_state.load(); }
    std::string id() const;
    bool command(RunCommand command);  ///< false if too many wait

    /// How often somebody looks: the least time between two snapshots from now on; 0: as the
    /// options say.
    void setViewPause(std::chrono::milliseconds pause) { m_viewPause.store(pause); }
    std::chrono::milliseconds viewPause() const { return m_viewPause.load(); }

    const std::stop_token& stop() const { return m_stop; }

    /// Stores the run in the history, if there is one, and makes its folder.
    void store(const std::string& worldHash);
    const std::string& name() const { return m_newRun.name; }  ///< of the run
    bool isStored() const { return m_sink != nullptr; }
    const std::filesystem::path& folder() const { return m_folder; }  ///< empty: none
    const std::filesystem::path& workspaceFolder() const { return m_workspaceFolder; }
    bool isResumed() const { return !m_options.resumedId.empty(); }
    /// The workspace; null: none.
    Workspace* workspace() const { return m_options.workspace; }
    bool pausesAtTrouble() const { return m_options.pausesAtTrouble; }
    /// Who obeys Set and Checkpoint; without it they are refused. Called at a boundary.
    void onCommand(std::function<void(const RunCommand&)> obeys) { m_obeys = std::move(obeys); }
    /// Whether the job was asked for something in another way since the last call; looked at while
    /// the run is paused. From then on the job also sees to what onCommand()'s function took while
    /// it is paused; before, that waits until the run goes on.
    void onQuestion(std::function<bool()> isAsked) { m_isAsked = std::move(isAsked); }
    /// A graph that the starter of the run has; may be null or of another world.
    const std::shared_ptr<const StateGraph>& graphAtHand() const { return m_options.graph; }

    void metric(std::int64_t step, const std::string& key, double value);
    void message(MessageLevel level, const std::string& code, const std::string& text);
    void message(event::Message message);
    void setState(RunState state, const std::string& trouble = {});
    /// As if somebody had asked for a pause; single steps that wait are not done. Not within
    /// boundary().
    void halt();

    /// Changes the job's part of the next snapshot; publishes it if enough time has passed.
    void update(const std::function<void(JobSnapshot&)>& change);
    /// Shows how far the run is.
    void showProgress(const Progress& progress);
    /// The same; then as boundary().
    std::int64_t progress(const Progress& progress);
    /// Obeys the commands that wait, and blocks while paused or while the database has no space.
    /// @param where  "explore, step 3", for the log
    /// @return steps that may be done before the next call: 1 where a paused run does a single one,
    ///         kCallAgain where it was asked for something that onCommand()'s function took or that
    ///         onQuestion()'s tells of, else 0, any number
    std::int64_t boundary(const std::string& where);

    /// Runs `write`, again and again while the disk is full and patience lasts (state Blocked).
    /// @throws Error as `write`, if that is not a full disk or if stopped
    void writing(const std::function<void()>& write);
    /// Waits until all that was told, and all that this thread queued at the workspace's writer, is
    /// durable. @return false if it is not within `patience`, or the run is not stored
    bool flush(std::chrono::milliseconds patience) {
        return m_sink != nullptr && m_sink->flush(patience);
    }
    /// Writes a small file of the run and records it. Nothing without a folder.
    void artefact(const std::string& kind, const std::string& name, std::string_view content);
    /// Records a file of the run's folder that is complete on disk. @return false if stopped
    bool recordArtefact(const std::string& kind, const std::string& name);
    /// Writes MANIFEST.json with all files recorded so far.
    void writeManifest();

    /// Ends the run: stores the outcome, waits until it is durable, publishes the last snapshot.
    RunOutcome end(RunOutcome outcome);

private:
    void emit(const RunEvent::Body& body);
    void publish(bool atOnce);
    void obey(const RunCommand& command, const std::string& where) ORRERY_REQUIRES(m_boundaryMutex);
    void obeyOthers(const std::string& where) ORRERY_REQUIRES(m_boundaryMutex);
    void askJob(const RunCommand& command) ORRERY_REQUIRES(m_boundaryMutex);
    void block(const std::string& trouble);
    void unblock();
    void waitForDatabase() ORRERY_REQUIRES(m_boundaryMutex);
    std::string waitForHistory();
    void noteState(RunState state, const std::string& trouble);

    const RunOptions m_options;
    NewRun m_newRun;
    DbWriter* m_writer = nullptr;
    std::filesystem::path m_workspaceFolder;
    const std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    Feed<RunSnapshot> m_feed;
    BoundedQueue<RunCommand> m_commands{1024};
    std::atomic<RunState> m_state{RunState::Queued};
    std::atomic<std::chrono::milliseconds> m_viewPause{};
    std::atomic<bool> m_keepsEvents;

    mutable Mutex m_mutex;
    RunSnapshot m_current ORRERY_GUARDED_BY(m_mutex);
    std::chrono::steady_clock::time_point m_lastPublished ORRERY_GUARDED_BY(m_mutex);

    Mutex m_boundaryMutex;  // held while paused, so that all callbacks wait
    std::stop_source m_stopSource;
    const std::stop_token m_stop = m_stopSource.get_token();
    std::function<void(const RunCommand&)> m_obeys;
    std::function<bool()> m_isAsked;
    std::optional<CommandFile> m_others ORRERY_GUARDED_BY(m_boundaryMutex);
    std::chrono::steady_clock::time_point m_nextLook ORRERY_GUARDED_BY(m_boundaryMutex);
    std::int64_t m_singleSteps ORRERY_GUARDED_BY(m_boundaryMutex) = 0;
    bool m_isJobAsked ORRERY_GUARDED_BY(m_boundaryMutex) = false;
    std::filesystem::path m_folder;
    std::vector<ArtefactRow> m_files;
    std::unique_ptr<HistorySink> m_sink;
};

}  // namespace orrery
