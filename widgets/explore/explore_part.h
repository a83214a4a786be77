#pragma once

#include "core/run/run_spec.h"
#include "widgets/part/window_part.h"

namespace orrery {

class Exploration;
class PlanPart;
class SweepPanel;

/// Other parameters on the solved graph, and runs for many of them.
class ExplorePart : public WindowPart {
    Q_OBJECT

public:
    ExplorePart(Workbench& bench, PlanPart* plan);

    void addViews() override;
    void bindCommands() override;
    void refreshCommands() override;
    bool isSettled() const override;

    /// Starts a run after the other; what they have in common is said by a tag.
    void startSweep(const std::vector<RunSpec>& specs, const QString& tag);

Q_SIGNALS:
    void compareRequested(const QStringList& runIds);

private:
    void bindForm();
    void explore();
    void showExploring();
    QWidget* makeSweep(QWidget* parent);
    void bindHeat();
    void noteSolveSeconds();
    void showParameters();
    void showSweep();
    void followExploration();
    void followSweep();
    void keepAsRun();
    void listEnded();

    PlanPart* m_plan;
    Exploration* m_exploration;
    SweepPanel* m_sweep = nullptr;
    int m_exploreJob = 0, m_sweepJob = 0;  ///< in the job list
};

}  // namespace orrery
