#include "widgets/part/live_part.h"

#include <QTimer>
#include <utility>

#include "core/run/snapshot.h"
#include "widgets/bridge/queue_bridge.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/part/run_progress.h"

namespace orrery {

void LivePart::begin(const QString& title, bool isLong) {
    if (isLong) return list(title);
    QTimer::singleShot(JobList::kShownAfterMs, this, [this, title] {
        if (runBridge().isLive() && m_job == 0) list(title);
    });
}

void LivePart::list(const QString& title) {
    m_job = jobs().add(title, [this] { runBridge().cancel(); });
}

void LivePart::showProgress() {
    const auto snapshot = runBridge().snapshot();
    const bool isBlocked = snapshot->state == RunState::Blocked;
    if (isBlocked && !m_saidBlocked)
        say(MessageKind::Warning, QString::fromStdString(snapshot->trouble));
    if (!isBlocked && m_saidBlocked) strip().clear();
    m_saidBlocked = isBlocked;
    if (m_job != 0)
        jobs().setProgress(m_job, jobProgress(snapshot->progress),
                           snapshot->state == RunState::Paused);
    Q_EMIT progressed();
    bench().refresh();
}

void LivePart::end(JobList::State outcome, const QString& text) {
    if (m_job != 0) jobs().finish(std::exchange(m_job, 0), outcome, text);
    bench().refresh();
}

bool LivePart::isSettled() const {
    return !runBridge().isLive() && !queue().isLive();
}

}  // namespace orrery
