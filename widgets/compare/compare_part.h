#pragma once

#include "widgets/part/window_part.h"

namespace orrery {

class CompareView;
class ExplorePart;
class ScopePart;

/// Runs side by side, and the study that shows how.
class ComparePart : public WindowPart {
    Q_OBJECT

public:
    ComparePart(Workbench& bench, ScopePart* scopes, ExplorePart* explore);

    void addViews() override;
    std::vector<PerspectiveSpec> perspectives() override;
    void bindCommands() override;
    bool isSettled() const override;
    QStringList crumbs() const override;
    bool opensRun(const RunRecord& run) override;

    /// Shows runs side by side, once the list of runs has them.
    void compare(const QStringList& runIds);

private:
    QWidget* make(ViewScope& scope, int number, QWidget* parent);
    void show();
    void compareSelected();
    QStringList storedStudy() const;
    void openStudy();
    void showStudy(const QStringList& runIds);
    void followStudy();

    ScopePart* m_scopes;
    ExplorePart* m_explore;
    CompareView* m_view = nullptr;  ///< the first, once it is made
    bool m_makesStudy = false;      ///< the queue is at it
};

}  // namespace orrery
