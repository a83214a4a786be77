#include "widgets/bridge/run_bridge.h"

#include <QMetaObject>
#include <utility>

#include "core/run/run.h"
#include "widgets/bridge/background_worker.h"

namespace orrery {

RunBridge::RunBridge(BackgroundWorker* worker, QObject* parent)
    : QObject(parent), m_worker(worker) {}

RunBridge::~RunBridge() = default;  // Run cancels itself and waits

void RunBridge::start(const RunSpec& spec, RunOptions options) {
    Q_ASSERT(!m_isLive);
    release();
    options.keepsEvents = true;
    options.notify = [this] {
        if (!m_isQueued.exchange(true))
            QMetaObject::invokeMethod(
                this, [this] { drain(); }, Qt::QueuedConnection);
    };
    m_snapshot.reset();
    m_sawLastEvent = false;
    m_run = Run::start(spec, std::move(options));
    setViewPause(m_viewPause);
    m_isLive = true;
    Q_EMIT started();
}

void RunBridge::command(const RunCommand& command) {
    if (m_run) m_run->command(command);
}

void RunBridge::pause() {
    if (m_run) m_run->pause("window");
}

void RunBridge::resume() {
    if (m_run) m_run->resume("window");
}

void RunBridge::setViewPause(int milliseconds) {
    m_viewPause = milliseconds;
    if (m_run) m_run->setViewPause(std::chrono::milliseconds(milliseconds));
}

void RunBridge::cancel() {
    if (m_run) m_run->cancel("window");
}

void RunBridge::drain() {
    m_isQueued.store(false);
    if (!m_run) return;
    for (const RunEvent& event : m_run->feed().events().drain()) {
        if (std::holds_alternative<RunEvent::Failed>(event.body) ||
            std::holds_alternative<RunEvent::Finished>(event.body))
            m_sawLastEvent = true;
        Q_EMIT eventHappened(event);
    }
    if (auto newest = m_run->snapshot(); newest != m_snapshot) {
        m_snapshot = std::move(newest);
        Q_EMIT snapshotChanged();
    }
    if (m_isLive && m_sawLastEvent && m_snapshot && !orrery::isLive(m_snapshot->state)) {
        m_isLive = false;
        Q_EMIT ended();
    }
}

void RunBridge::release() {
    if (!m_run) return;
    m_worker->append<bool>(
        [run = std::exchange(m_run, nullptr)](std::stop_token) mutable {
            run.reset();
            return true;
        },
        [](bool) {}, [](const QString&) {});
}

}  // namespace orrery
