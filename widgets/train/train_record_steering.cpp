#include <algorithm>
#include <utility>

#include "core/base/run_event.h"
#include "core/run/command.h"
#include "core/run/steering.h"
#include "widgets/train/steer_text.h"
#include "widgets/train/train_record.h"

// What a person asks of a training, and what became of it.

namespace orrery {

/// Into the log, which is ascending by step. What is refused at once does not name one.
void TrainRecord::noteChange(AppliedChange change) {
    if (!change.problem.empty() && change.change.step == 0)
        change.change.step = isLive()            ? step()
                             : m_changes.empty() ? 0
                                                 : m_changes.back().change.step;
    const auto place =
        std::ranges::upper_bound(m_changes, change.change.step, {},
                                 [](const AppliedChange& known) { return known.change.step; });
    m_changes.insert(place, change);
}

void TrainRecord::takeChanges(const TrainSnapshot& training) {
    if (training.changes.size() == m_numChanges) return;
    for (; m_numChanges < training.changes.size(); ++m_numChanges) {
        const AppliedChange& applied = training.changes[m_numChanges];
        noteChange(applied);
        const QString key = QString::fromStdString(applied.change.key);
        if (!applied.change.isReplay && applied.change.source.starts_with("window")) {
            QStringList& waiting = m_pending[key];
            if (!waiting.isEmpty()) waiting.removeFirst();
            if (waiting.isEmpty()) m_pending.remove(key);
        }
        if (!applied.problem.empty()) {
            m_refusals[key] = QString::fromStdString(applied.problem);
            continue;
        }
        m_refusals.remove(key);
        applyChange(m_live, applied.change);
        const QString value = QString::fromStdString(applied.change.value);
        if (key.startsWith(QLatin1String("actor."))) m_actors[key] = value;
        addMark(
            static_cast<double>(applied.change.step), ChartEventKind::Steering,
            QStringLiteral("%1 %2 → %3")
                .arg(key, steerText(QString::fromStdString(applied.oldValue)), steerText(value)));
    }
    Q_EMIT steeringChanged();
    Q_EMIT marksChanged();
}

void TrainRecord::send(const QString& key, const QString& value, bool isUndo) {
    m_refusals.remove(key);
    m_pending[key].append(value);
    m_bridge->command({.kind = RunCommand::Kind::Set,
                       .source = isUndo ? "window undo" : "window",
                       .key = key.toStdString(),
                       .value = value.toStdString(),
                       .isUndo = isUndo});
    Q_EMIT steeringChanged();
}

std::optional<QString> TrainRecord::pending(const QString& key) const {
    const QStringList waiting = m_pending.value(key);
    return waiting.isEmpty() ? std::nullopt : std::optional(waiting.last());
}

QString TrainRecord::value(const QString& key) const {
    if (key.startsWith(QLatin1String("actor.")))
        return m_actors.value(key, QStringLiteral("running"));
    return QString::fromStdString(presentValue(m_live, key.toStdString()));
}

void TrainRecord::pauseOrResume() {
    if (isLive()) m_bridge->pauseOrResume();
}

void TrainRecord::doSteps(int count) {
    if (!isLive()) return;
    if (!isPaused()) m_bridge->pause();
    for (int i = 0; i < count; ++i)
        m_bridge->command({.kind = RunCommand::Kind::Step, .source = "window"});
}

void TrainRecord::stop() {
    if (isLive()) m_bridge->cancel();
}

void TrainRecord::checkpoint() {
    if (isLive()) m_bridge->command({.kind = RunCommand::Kind::Checkpoint, .source = "window"});
}

void TrainRecord::setViewPause(int milliseconds) {
    if (m_bridge && std::exchange(m_viewPause, milliseconds) != milliseconds)
        m_bridge->setViewPause(milliseconds);
}

}  // namespace orrery
