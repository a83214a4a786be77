#include <QUndoCommand>
#include <QUndoStack>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/run/command.h"
#include "core/run/steering.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/train/steer_scale.h"
#include "widgets/train/train_session.h"

// What a person asks of the training that is shown, and what became of it.

namespace orrery {

/// One change of a live parameter.
class SteerCommand : public QUndoCommand {
public:
    SteerCommand(TrainSession* session, QString key, QString before, QString after)
        : m_session(session),
          m_serial(session->serial()),
          m_key(std::move(key)),
          m_before(std::move(before)),
          m_after(std::move(after)) {
        setText(
            QObject::tr("%1 %2 to %3")
                .arg(steerName(session->kind(), m_key), steerText(m_before), steerText(m_after)));
    }

    void undo() override { send(m_before, true); }
    void redo() override { send(m_after, false); }

private:
    void send(const QString& value, bool isUndo) {
        if (m_session->serial() == m_serial && m_session->isLive())
            m_session->send(m_key, value, isUndo);
        else
            setObsolete(true);  // that run has ended
    }

    TrainSession* m_session;
    int m_serial;
    QString m_key, m_before, m_after;
};

/// Into the log, which is ascending by step. What is refused at once does not name one.
void TrainSession::noteChange(AppliedChange change) {
    if (!change.problem.empty() && change.change.step == 0)
        change.change.step = isLive()            ? step()
                             : m_changes.empty() ? 0
                                                 : m_changes.back().change.step;
    const auto place =
        std::ranges::upper_bound(m_changes, change.change.step, {},
                                 [](const AppliedChange& known) { return known.change.step; });
    m_changes.insert(place, change);
}

void TrainSession::takeChanges(const TrainSnapshot& training) {
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

void TrainSession::set(const QString& key, const QString& value) {
    const QString before = pending(key).value_or(this->value(key));
    QString wanted = value;
    try {
        wanted = QString::fromStdString(
            normalValue(m_live.job.kind(), key.toStdString(), value.toStdString()));
    } catch (const Error&) {
        // The run refuses it and says why.
    }
    if (!isLive() || before == wanted) return;
    m_undoStack->push(new SteerCommand(this, key, before, wanted));
}

void TrainSession::send(const QString& key, const QString& value, bool isUndo) {
    m_refusals.remove(key);
    m_pending[key].append(value);
    m_bridge->command({.kind = RunCommand::Kind::Set,
                       .source = isUndo ? "window undo" : "window",
                       .key = key.toStdString(),
                       .value = value.toStdString(),
                       .isUndo = isUndo});
    Q_EMIT steeringChanged();
}

std::optional<QString> TrainSession::pending(const QString& key) const {
    const QStringList waiting = m_pending.value(key);
    return waiting.isEmpty() ? std::nullopt : std::optional(waiting.last());
}

QString TrainSession::value(const QString& key) const {
    if (key.startsWith(QLatin1String("actor.")))
        return m_actors.value(key, QStringLiteral("running"));
    return QString::fromStdString(presentValue(m_live, key.toStdString()));
}

void TrainSession::pauseOrResume() {
    if (!isLive()) return;
    if (isPaused())
        m_bridge->resume();
    else
        m_bridge->pause();
}

void TrainSession::doSteps(int count) {
    if (!isLive()) return;
    if (!isPaused()) m_bridge->pause();
    for (int i = 0; i < count; ++i)
        m_bridge->command({.kind = RunCommand::Kind::Step, .source = "window"});
}

void TrainSession::stop() {
    if (isLive()) m_bridge->cancel();
}

void TrainSession::checkpoint() {
    if (isLive()) m_bridge->command({.kind = RunCommand::Kind::Checkpoint, .source = "window"});
}

}  // namespace orrery
