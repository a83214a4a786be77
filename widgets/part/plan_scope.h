#pragma once

#include "widgets/bridge/plan_session.h"
#include "widgets/common/selection.h"
#include "widgets/frame/view_scope.h"

namespace orrery {

class Frame;

/// What one instance of a view shows of the window's session, or of the runs that are selected.
class PlanScope : public ViewScope {
    Q_OBJECT

public:
    enum class About { State, Runs };

    /// @param common  the window's session, which lives longer
    PlanScope(PlanSession* common, About about, QObject* parent);

    Selection& selection() { return m_selection; }
    PlanSession& session() { return m_session; }

    QString text() const override;
    QString shortText() const override;
    bool isFrozen() const override { return m_session.isFrozen(); }
    void setFrozen(bool isFrozen) override;
    QString whyNotFrozen() const override;
    Memento memento() const override;

    /// {"run": id, "world": name, "text": of the world, "address": of what is selected}
    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

    /// Restored, until it could be brought back by freezeAt() or was forgotten.
    const QJsonObject& wanted() const { return m_wanted; }
    void forgetWanted() { m_wanted = {}; }
    /// Freezes at a restored place whose world and values have been read.
    /// @return false if that world has no such state
    bool freezeAt(const LoadedWorld& world, const std::shared_ptr<const Solution>& solution);

Q_SIGNALS:
    /// A state was restored whose world and run have to be read.
    void wantedChanged();

private:
    void tell() { Q_EMIT changed(); }

    About m_about;
    Selection m_selection;
    PlanSession m_session;
    QJsonObject m_wanted;
};

/// Of the instance of a view that a widget is or lies in; null if that has none.
PlanScope* scopeAround(Frame& frame, const QWidget* widget);

}  // namespace orrery
