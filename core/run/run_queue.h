#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/run_spec.h"
#include "core/run/snapshot.h"

namespace orrery {

class Workspace;

/// One run of a queue.
struct QueueMember {
    std::string id = {};  ///< empty: not stored
    std::string name = {};
    RunState state = RunState::Queued;
    std::string text = {};                 ///< how it ended; empty before
    int exitStatus = 0;                    ///< as RunOutcome's
    double seconds = 0;                    ///< that it took or has taken
    std::optional<StateValues> root = {};  ///< of the initial state, once a solve has finished
    std::map<std::string, double> metrics = {};  ///< newest values of a training's curves
};

/// A queue at one moment. Immutable; anyone may keep it.
struct QueueSnapshot {
    std::vector<QueueMember> members;         ///< in the order in which they run
    int current = -1;                         ///< member at work; -1: none
    std::shared_ptr<const RunSnapshot> live;  ///< of the member at work; may be null
    std::shared_ptr<const World> world;       ///< of the runs; null before the first is read
    bool isPaused = false;
    bool hasEnded = false;

    int numEnded() const;  ///< members that are not live any more
};

struct RunQueueOptions {
    /// Where the runs are stored; null: in memory only. Must outlive the queue and be writable.
    Workspace* workspace = nullptr;
    std::string parent = {};             ///< of every run; empty: none
    std::vector<std::string> tags = {};  ///< of every run: what groups them
    /// Called after each change, on a worker thread; must not block or throw.
    std::function<void()> notify = {};
    std::chrono::milliseconds diskPatience = std::chrono::hours(24 * 365);
};

/// Runs that are carried out one after the other and share one explored graph. All of them are
/// stored as queued before the first begins, so that none is lost from sight: if the process dies,
/// those that had not ended are interrupted at the next start. A run that fails does not hold up
/// the others. Any thread may call any member.
class RunQueue {
public:
    /// Begins; never blocks.
    /// @throws Error (BadInput) if a spec is wrong, (Resource) if the workspace is only read
    static std::unique_ptr<RunQueue> start(std::vector<RunSpec> specs, RunQueueOptions options);

    /// Cancels and waits.
    ~RunQueue();
    RunQueue(const RunQueue&) = delete;
    RunQueue& operator=(const RunQueue&) = delete;

    /// These never wait for a run. Those that have ended are left as they are.
    void pause(const std::string& source = {});
    void resume(const std::string& source = {});
    void cancel(const std::string& source = {});
    /// Ends one run or takes it out of the queue; the others go on.
    void cancelMember(int member, const std::string& source = {});

    /// @return true if all have ended
    bool waitFor(std::chrono::milliseconds patience);

    std::shared_ptr<const QueueSnapshot> snapshot() const;

private:
    struct Impl;
    explicit RunQueue(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

}  // namespace orrery
