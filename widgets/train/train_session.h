#pragma once

#include <QObject>
#include <QTimer>
#include <memory>

#include "widgets/train/train_record.h"

class QUndoStack;

namespace orrery {

class ViewClock;

/// Which training the window shows, and when its views are drawn. Changes of its parameters go
/// through here: each is a step on the undo stack, and undoing it sends the former value, whatever
/// is shown by then. GUI thread only.
class TrainSession : public QObject {
    Q_OBJECT

public:
    explicit TrainSession(QUndoStack* undoStack, QObject* parent = nullptr);

    /// The training that is shown; one of nothing before the first. Another one takes its place
    /// with begun().
    TrainRecord& record() const { return *m_record; }
    const std::shared_ptr<TrainRecord>& sharedRecord() const { return m_record; }
    /// Shows another one, live or not.
    void show(std::shared_ptr<TrainRecord> record);
    /// Counts the trainings that were shown; 0 before the first.
    int serial() const { return m_serial; }

    /// When the live views are drawn. They take what came since from the record when it is due.
    ViewClock& clock() const { return *m_clock; }

    /// Asks for a new value of a live field or an actor.
    void set(const QString& key, const QString& value);

Q_SIGNALS:
    void begun();         ///< another run is shown; everything changed
    void changed();       ///< how far it is: ten times a second at most, and at each turn
    void marksChanged();  ///< the same signals of the record
    void historyChanged();
    void steeringChanged();
    void ended();

private:
    void follow();
    void takeAdvance(bool isTurn);
    void tell();

    QUndoStack* m_undoStack;
    ViewClock* m_clock;
    std::shared_ptr<TrainRecord> m_record;
    QTimer m_telling;         ///< until changed() is due again
    bool m_isUntold = false;  ///< something came meanwhile
    int m_serial = 0;
};

}  // namespace orrery
