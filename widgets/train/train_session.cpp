#include "widgets/train/train_session.h"

#include <QPointer>
#include <QUndoCommand>
#include <QUndoStack>
#include <utility>

#include "core/base/error.h"
#include "core/run/steering.h"
#include "widgets/train/steer_text.h"
#include "widgets/train/view_clock.h"

namespace orrery {

namespace {

constexpr int kTellMs = 100;
constexpr int kUnseenPauseMs = 1000;  ///< between snapshots of a training that is not shown

/// One change of a live parameter.
class SteerCommand : public QUndoCommand {
public:
    SteerCommand(TrainRecord* record, QString key, QString before, QString after)
        : m_record(record),
          m_key(std::move(key)),
          m_before(std::move(before)),
          m_after(std::move(after)) {
        setText(
            QObject::tr("%1 %2 to %3")
                .arg(steerName(record->kind(), m_key), steerText(m_before), steerText(m_after)));
    }

    void undo() override { send(m_before, true); }
    void redo() override { send(m_after, false); }

private:
    void send(const QString& value, bool isUndo) {
        if (m_record && m_record->isLive())
            m_record->send(m_key, value, isUndo);
        else
            setObsolete(true);  // that run has ended
    }

    QPointer<TrainRecord> m_record;
    QString m_key, m_before, m_after;
};

}  // namespace

TrainSession::TrainSession(QUndoStack* undoStack, QObject* parent)
    : QObject(parent),
      m_undoStack(undoStack),
      m_clock(new ViewClock(this)),
      m_record(std::make_shared<TrainRecord>()) {
    m_telling.setSingleShot(true);
    connect(&m_telling, &QTimer::timeout, this, [this] {
        if (m_isUntold) tell();
    });
    connect(m_clock, &ViewClock::rateChanged, this, &TrainSession::changed);
}

void TrainSession::show(std::shared_ptr<TrainRecord> record) {
    if (record == m_record) return;
    m_record->disconnect(this);
    m_record->setViewPause(kUnseenPauseMs);
    m_record = std::move(record);
    ++m_serial;
    follow();
    m_record->setViewPause(m_clock->pauseMs());
    Q_EMIT begun();
    Q_EMIT marksChanged();
    tell();
    m_clock->drawNow();
    if (!m_record->isLive()) Q_EMIT ended();
}

void TrainSession::follow() {
    const TrainRecord* record = m_record.get();
    connect(record, &TrainRecord::advanced, this, &TrainSession::takeAdvance);
    connect(record, &TrainRecord::marksChanged, this, &TrainSession::marksChanged);
    connect(record, &TrainRecord::historyChanged, this, &TrainSession::historyChanged);
    connect(record, &TrainRecord::steeringChanged, this, &TrainSession::steeringChanged);
    connect(record, &TrainRecord::ended, this, [this] {
        tell();
        Q_EMIT ended();
    });
}

void TrainSession::takeAdvance(bool isTurn) {
    m_clock->request();
    if (isTurn || !m_telling.isActive())
        tell();
    else
        m_isUntold = true;
    m_record->setViewPause(m_clock->pauseMs());
}

void TrainSession::tell() {
    m_isUntold = false;
    m_telling.start(kTellMs);
    Q_EMIT changed();
}

void TrainSession::set(const QString& key, const QString& value) {
    const QString before = m_record->pending(key).value_or(m_record->value(key));
    QString wanted = value;
    try {
        wanted = QString::fromStdString(
            normalValue(m_record->kind(), key.toStdString(), value.toStdString()));
    } catch (const Error&) {
        // The run refuses it and says why.
    }
    if (!m_record->isLive() || before == wanted) return;
    m_undoStack->push(new SteerCommand(m_record.get(), key, before, wanted));
}

}  // namespace orrery
