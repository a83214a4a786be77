#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <memory>
#include <vector>

#include "core/run/run_queue.h"

namespace orrery {

class BackgroundWorker;
class Workspace;

/// Runs one after the other as the window sees them: the only object that a queue's worker threads
/// reach. Their notifications become one queued call in the GUI thread. Lives in the GUI thread;
/// only the destructor waits, for a queue that is still alive.
class QueueBridge : public QObject {
    Q_OBJECT

public:
    /// @param worker  ends former queues out of the way of the GUI thread; must outlive the bridge
    explicit QueueBridge(BackgroundWorker* worker, QObject* parent = nullptr);
    ~QueueBridge() override;

    /// Starts a queue; a live one must have ended before. `options.notify` is set here.
    /// @throws Error as RunQueue::start
    void start(std::vector<RunSpec> specs, RunQueueOptions options);

    /// These never wait.
    void pause();
    void resume();
    void cancel();
    void cancelMember(int member);

    bool isLive() const { return m_isLive; }
    /// Newest snapshot; null before the first start.
    const std::shared_ptr<const QueueSnapshot>& snapshot() const { return m_snapshot; }

Q_SIGNALS:
    void changed();      ///< the snapshot
    void memberEnded();  ///< one more has ended; after changed()
    void ended();        ///< after the last of both

private:
    void notifyLater();
    void drain();
    void release();

    BackgroundWorker* m_worker;
    std::shared_ptr<RunQueue> m_queue;
    std::shared_ptr<const QueueSnapshot> m_snapshot;
    bool m_isLive = false;
    std::atomic<bool> m_isQueued{false};  ///< a drain is on its way
};

}  // namespace orrery
