#pragma once

#include <QPointer>
#include <vector>

#include "widgets/part/plan_scope.h"
#include "widgets/part/window_part.h"

namespace orrery {

/// Views of which there are several: what each of them shows, how it is frozen, and how that comes
/// back after a start.
class ScopePart : public WindowPart {
    Q_OBJECT

public:
    explicit ScopePart(Workbench& bench);

    void bindCommands() override;
    bool isSettled() const override { return m_pending.empty(); }

    /// For ViewSpec::makeScope: what shows a state, and what shows the runs that are selected.
    std::function<ViewScope*(QObject*)> ofState();
    std::function<ViewScope*(QObject*)> ofRuns();

private:
    ViewScope* make(PlanScope::About about, QObject* parent);
    void refreshFreeze();
    void restore();

    std::vector<QPointer<PlanScope>> m_pending;  ///< restored, until the runs are listed
};

/// The session of a scope that ScopePart made.
PlanSession* sessionOf(ViewScope& scope);

}  // namespace orrery
