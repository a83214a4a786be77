#pragma once

#include "widgets/part/window_part.h"

namespace orrery {

class HelpPart;
class HistoryPart;
class HomeView;
class PlanPart;
class TrainPart;
class WorldPart;

/// The first page, and what its cards and buttons do.
class HomePart : public WindowPart {
    Q_OBJECT

public:
    /// Those that it leads to.
    struct Parts {
        WorldPart* world;
        PlanPart* plan;
        TrainPart* train;
        HistoryPart* history;
        HelpPart* help;
    };
    HomePart(Workbench& bench, Parts parts);

    void addViews() override;
    std::vector<PerspectiveSpec> perspectives() override;
    void bindCommands() override;
    void applyPreference(const QString& key) override;

private:
    QWidget* make(QWidget* parent);
    void bindStarts();
    void bindRuns();
    void openWorkspace(const QString& folder);
    void showPlace();
    void showRuns();
    void showWorkspaces();

    Parts m_parts;
    HomeView* m_view = nullptr;  ///< once it is made
};

}  // namespace orrery
