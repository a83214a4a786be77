#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <memory>
#include <vector>

#include "core/base/run_event.h"
#include "core/run/run_spec.h"
#include "core/run/snapshot.h"

namespace orrery {

class BackgroundWorker;
class Run;
struct RunCommand;
struct RunOptions;

/// One run at a time as the window sees it: the only object that a run's worker threads reach.
/// Their notifications become one queued call in the GUI thread, however many come in between.
/// Lives in the GUI thread; only the destructor waits, for a run that is still alive.
class RunBridge : public QObject {
    Q_OBJECT

public:
    /// @param worker  ends former runs out of the way of the GUI thread; must outlive the bridge
    explicit RunBridge(BackgroundWorker* worker, QObject* parent = nullptr);
    ~RunBridge() override;

    /// Starts a run; a live one must have ended before.
    /// @param options  events and notifications are the bridge's own
    /// @throws Error as Run::start
    void start(const RunSpec& spec, RunOptions options);

    /// These never wait.
    void command(const RunCommand& command);
    void pause();
    void resume();
    /// By what its newest snapshot says.
    void pauseOrResume() { isPaused() ? resume() : pause(); }
    /// The least time in ms between two snapshots, of this run and of those to come; 0: 34.
    void setViewPause(int milliseconds);
    void cancel();

    /// Hands the run to the worker, which may have to wait for its end. It tells nothing more.
    void release();

    bool isLive() const { return m_isLive; }
    bool isPaused() const { return m_snapshot && m_snapshot->state == RunState::Paused; }
    /// Newest snapshot; null before the first.
    std::shared_ptr<const RunSnapshot> snapshot() const { return m_snapshot; }

Q_SIGNALS:
    void started();
    void snapshotChanged();
    void eventHappened(const orrery::RunEvent& event);
    /// After the last snapshot and event.
    void ended();

private:
    void drain();

    BackgroundWorker* m_worker;
    std::shared_ptr<Run> m_run;
    std::shared_ptr<const RunSnapshot> m_snapshot;
    int m_viewPause = 0;
    bool m_isLive = false;
    bool m_sawLastEvent = false;
    std::atomic<bool> m_isQueued{false};  ///< a drain is on its way
};

}  // namespace orrery
