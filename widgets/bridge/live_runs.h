#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "core/run/run.h"
#include "core/run/run_spec.h"
#include "widgets/bridge/run_bridge.h"

namespace orrery {

class BackgroundWorker;

/// One run that a window started: it waits for its turn, is at work, or has just ended. GUI thread
/// only.
class LiveRun : public QObject {
    Q_OBJECT

public:
    enum class Turn : std::uint8_t { Waiting, AtWork, Ended };

    const RunSpec& spec() const { return m_spec; }
    const RunOptions& options() const { return m_options; }
    Turn turn() const { return m_turn; }
    bool isAtWork() const { return m_turn == Turn::AtWork; }
    /// Kept from its turn until somebody says otherwise.
    bool isHeld() const { return m_isHeld; }
    /// Counts the runs of the window: 1 is the first.
    int number() const { return m_number; }
    /// Its commands and what it tells; nothing before its turn.
    RunBridge& bridge() { return m_bridge; }
    const RunBridge& bridge() const { return m_bridge; }
    std::shared_ptr<const RunSnapshot> snapshot() const { return m_bridge.snapshot(); }

private:
    friend class LiveRuns;
    LiveRun(BackgroundWorker* worker, RunSpec spec, RunOptions options, int number,
            QObject* parent);

    RunSpec m_spec;
    RunOptions m_options;
    Turn m_turn = Turn::Waiting;
    bool m_isHeld = false;
    int m_number;
    RunBridge m_bridge;
};

/// The runs of a window: those that are at work, each on threads of its own, and those that wait
/// because as many are at work as may be at once. GUI thread only; nothing here waits.
class LiveRuns : public QObject {
    Q_OBJECT

public:
    /// @param worker  ends former runs out of the way of the GUI thread; must outlive this
    explicit LiveRuns(BackgroundWorker* worker, QObject* parent = nullptr);
    ~LiveRuns() override;

    /// At most so many are at work at once; those that are go on. At least 1.
    void setMost(int most);
    int most() const { return m_most; }

    /// Begins a run.
    /// @param options  events and notifications are the bridge's own
    /// @throws Error as Run::start
    LiveRun& start(RunSpec spec, RunOptions options);
    /// Begins it as soon as there is room, which may be at once.
    /// @throws Error as Run::start, if there is room now
    LiveRun& enqueue(RunSpec spec, RunOptions options);
    /// Puts it behind those that wait, held.
    LiveRun& keep(RunSpec spec, RunOptions options);

    /// In the order in which they began, then in the order of their turns. Of those that have
    /// ended, none.
    const std::vector<LiveRun*>& runs() const { return m_runs; }
    int numAtWork() const;
    int numWaiting() const;
    bool isLive() const { return numAtWork() > 0; }
    /// Of the run that told of itself last, however it ended; null before the first.
    const std::shared_ptr<const RunSnapshot>& last() const { return m_last; }
    /// Null: there is none any more.
    LiveRun* find(int number) const;

    /// One that waits goes so many places towards the front (negative) or the back of those that
    /// wait.
    void move(LiveRun& run, int by);
    /// One that waits is kept from its turn, or no longer; others pass it.
    void hold(LiveRun& run, bool isHeld);
    /// The same of all that wait.
    void holdWaiting(bool isHeld);
    /// Ends one that is at work; takes one that waits out of the list.
    void cancel(LiveRun& run);
    void cancelAll();

Q_SIGNALS:
    /// Its turn has come; its bridge is live.
    void begun(orrery::LiveRun* run);
    void snapshotChanged(orrery::LiveRun* run);
    /// After its last snapshot and event. It is deleted when control returns to the event loop.
    void ended(orrery::LiveRun* run);
    /// Its turn came, but it could not begin.
    void failed(orrery::LiveRun* run, const QString& why);
    /// Which there are, in which order, or one was held.
    void listChanged();

private:
    LiveRun& add(RunSpec spec, RunOptions options);
    void begin(LiveRun& run);
    void giveTurns();
    void takeOut(LiveRun& run);

    BackgroundWorker* m_worker;
    std::vector<LiveRun*> m_runs;  ///< children: as runs()
    std::shared_ptr<const RunSnapshot> m_last;
    int m_most = 1, m_numStarted = 0;
};

}  // namespace orrery
