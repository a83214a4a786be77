#pragma once

#include "widgets/part/window_part.h"

namespace orrery {

class GraphPart;
class PlanPart;
class WorldPart;

/// Text addresses of what is selected: copied, typed, given on the command line.
class AddressPart : public WindowPart {
    Q_OBJECT

public:
    /// @param first  where to go once the world is open and the runs are known; or empty
    AddressPart(Workbench& bench, WorldPart* world, PlanPart* plan, GraphPart* graph,
                QString first);

    void bindCommands() override;
    void refreshCommands() override;
    std::vector<LocatorSource> locatorSources() override;

    /// Says why it cannot. @return whether it is there, or on its way
    bool goTo(const QString& text);

private:
    void follow();
    void followFirst();
    std::vector<LocatorItem> items(const QString& typed);

    GraphPart* m_graph;
    QString m_first;
    QString m_toFollow;  ///< whose run is being read
};

}  // namespace orrery
