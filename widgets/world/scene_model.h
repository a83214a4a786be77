#pragma once

#include "widgets/common/table_model.h"
#include "widgets/world/world_painter.h"

namespace orrery {

/// The picture of a world as a table: one row a cell that holds more than floor, or a value, a goal
/// or a count; row by row from the top left. Live: it follows setScene. GUI thread only.
class SceneModel : public ReadyTable {
    Q_OBJECT

public:
    enum Column { X, Y, Things, Agents, Goals, Value, States, Visits, NumColumns };

    using ReadyTable::ReadyTable;

    /// `valueName` heads the column of the heat's values; empty: none is shown.
    void setScene(const WorldScene& scene, const QString& valueName);
};

}  // namespace orrery
