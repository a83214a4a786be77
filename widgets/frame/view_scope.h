#pragma once

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <functional>

namespace orrery {

/// What one instance of a view shows: it follows what is selected, or it is frozen and keeps its
/// run and state. Lives in the GUI thread.
class ViewScope : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// What is shown, for the chip: "r00012 · t 6 · s 1 204", and in few letters: "t 6".
    virtual QString text() const = 0;
    virtual QString shortText() const = 0;
    virtual bool isFrozen() const = 0;
    virtual void setFrozen(bool isFrozen) = 0;
    /// Why it cannot be frozen now; empty if it can.
    virtual QString whyNotFrozen() const { return {}; }

    /// Makes a scope of the same kind show what this one shows now.
    using Memento = std::function<void(ViewScope& scope)>;
    virtual Memento memento() const = 0;

    /// What a frozen scope needs to be frozen at the same place after the next start; empty if it
    /// follows. Restoring may end later.
    virtual QJsonObject saveState() const = 0;
    virtual void restoreState(const QJsonObject& state) = 0;

Q_SIGNALS:
    /// Another text, or frozen or no longer so.
    void changed();
};

}  // namespace orrery
