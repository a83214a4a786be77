#include "widgets/bridge/queue_bridge.h"

#include <QMetaObject>
#include <utility>

#include "widgets/bridge/background_worker.h"

namespace orrery {

QueueBridge::QueueBridge(BackgroundWorker* worker, QObject* parent)
    : QObject(parent), m_worker(worker) {}

QueueBridge::~QueueBridge() = default;  // the queue cancels itself and waits

void QueueBridge::start(std::vector<RunSpec> specs, RunQueueOptions options) {
    Q_ASSERT(!m_isLive);
    release();
    options.notify = [this] { notifyLater(); };
    m_queue = RunQueue::start(std::move(specs), std::move(options));
    m_isLive = true;
    m_snapshot = m_queue->snapshot();
    Q_EMIT changed();
}

void QueueBridge::pause() {
    if (!m_queue) return;
    m_queue->pause("window");
    notifyLater();
}

void QueueBridge::resume() {
    if (!m_queue) return;
    m_queue->resume("window");
    notifyLater();
}

void QueueBridge::cancel() {
    if (m_queue) m_queue->cancel("window");
}

void QueueBridge::cancelMember(int member) {
    if (m_queue) m_queue->cancelMember(member, "window");
}

void QueueBridge::notifyLater() {
    if (!m_isQueued.exchange(true))
        QMetaObject::invokeMethod(
            this, [this] { drain(); }, Qt::QueuedConnection);
}

void QueueBridge::drain() {
    m_isQueued.store(false);
    if (!m_queue) return;
    const int before = m_snapshot ? m_snapshot->numEnded() : 0;
    m_snapshot = m_queue->snapshot();
    Q_EMIT changed();
    if (m_snapshot->numEnded() > before) Q_EMIT memberEnded();
    if (m_isLive && m_snapshot->hasEnded) {
        m_isLive = false;
        Q_EMIT ended();
    }
}

/// Hands the former queue to the worker, where its destructor may wait.
void QueueBridge::release() {
    if (!m_queue) return;
    m_worker->append<bool>(
        [queue = std::exchange(m_queue, nullptr)](std::stop_token) mutable {
            queue.reset();
            return true;
        },
        [](bool) {}, [](const QString&) {});
}

}  // namespace orrery
