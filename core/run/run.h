#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/feed.h"
#include "core/run/command.h"
#include "core/run/run_spec.h"
#include "core/run/snapshot.h"

namespace orrery {

class Workspace;

/// How a run ended.
struct RunOutcome {
    RunState state = RunState::Failed;  ///< Finished, Stopped, Failed or Diverged
    std::string text;                   ///< Failed: what, where, what to do
    int exitStatus = 1;                 ///< 0 finished, Error::exitStatus() failed, 130 stopped
    /// Stopped where the disk was full or the database in trouble: what, where, what to do. The
    /// history lacks the run's end, so the next start marks it as interrupted. Empty: all is
    /// stored.
    std::string lost = {};
};

struct RunOptions {
    /// Where the run is stored; null: nowhere, the run lives in memory only. Must outlive the Run
    /// and be writable.
    Workspace* workspace = nullptr;
    std::string parent = {};  ///< id of the run that this one continues or varies; empty: none
    std::vector<std::string> tags = {};  ///< of the stored run
    /// A run that is stored in state queued with this spec, and that this one carries out; empty: a
    /// new one is stored. If it is no longer queued, nothing is done and the run fails.
    std::string queuedId = {};
    /// A stored run that ended early, with this spec, and that this one continues under its id;
    /// empty: none. A training begins with its newest good checkpoint.
    std::string resumedId = {};
    /// Taken instead of exploring if it is of the run's world; null: none.
    std::shared_ptr<const StateGraph> graph = {};
    /// A training step with a number that is not finite halts the run in state paused until
    /// somebody says what to do; else it is skipped, and the third in a row ends the run.
    bool pausesAtTrouble = false;
    /// Called after each snapshot and event, on a worker thread; must not block or throw.
    std::function<void()> notify = {};
    /// Whether events go to feed().events(); set it if someone fetches them.
    bool keepsEvents = false;
    /// How long the run waits (state Blocked) where the disk is full; then it fails. Other faults
    /// of a file end it at once, those of the database after 10 s.
    std::chrono::milliseconds diskPatience = std::chrono::hours(24 * 365);
    /// Between two tries to write a file while the disk is full.
    std::chrono::milliseconds diskRetryPause{500};
    /// The least time between two snapshots.
    std::chrono::milliseconds snapshotPause{34};
};

/// One run on a worker thread of its own.
///
/// States: queued -> running <-> paused -> finished | stopped | failed | diverged. Every change,
/// metric, message and artefact goes to feed() and, with a workspace, into its history; wait()
/// returns when all of it is durable. Any thread may call any member.
///
/// A full disk halts the run in state blocked, which its snapshots show with the reason; it goes on
/// by itself within 2 s once there is space, and a cancel ends it within 2 s.
class Run {
public:
    /// Begins the run; never blocks.
    /// @throws Error (BadInput) naming all problems if validate(spec) has any, (Resource) if the
    ///         workspace is only read
    static std::unique_ptr<Run> start(RunSpec spec, RunOptions options = {});

    /// Cancels and waits.
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    /// These never block. A run that has ended ignores them; each is stored as an event. A stored
    /// run also obeys the commands that other processes leave in its folder (command_file.h).
    void pause(const std::string& source = {}) { command({RunCommand::Kind::Pause, source}); }
    void resume(const std::string& source = {}) { command({RunCommand::Kind::Resume, source}); }
    void cancel(const std::string& source = {}) { command({RunCommand::Kind::Cancel, source}); }
    /// Changes a parameter of a training at its next step, of a paused one at once (steering.h says
    /// which, and what the event tells).
    void set(const std::string& key, const std::string& value, const std::string& source = {}) {
        command({RunCommand::Kind::Set, source, key, value});
    }
    /// Snapshots come at most so often from now on; 0: as the options say. Whoever draws them asks
    /// for no more than it draws.
    void setViewPause(std::chrono::milliseconds pause);
    /// @return false if the run has ended, or if 1,024 commands wait already
    bool command(RunCommand command);

    /// Blocks until the run has ended.
    RunOutcome wait();
    /// Blocks for `patience` at most. @return true if the run has ended
    bool waitFor(std::chrono::milliseconds patience);

    RunState state() const;
    const RunSpec& spec() const;
    /// "r00012"; empty without a workspace and until the run is stored.
    std::string id() const;

    /// Snapshots (at most 30 a second unless told otherwise, and one at each change of state) and
    /// events.
    Feed<RunSnapshot>& feed();
    std::shared_ptr<const RunSnapshot> snapshot() { return feed().snapshot(); }

private:
    struct Impl;
    explicit Run(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

}  // namespace orrery
